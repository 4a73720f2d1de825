import type { CrsFile, CrsRelease } from '../model/resource.ts'
import { resolveReference } from './resolve.ts'
import { type CrsRule, type RuleLike, ruleOf, ruleStatementsOf } from './rules.ts'

/** `text`: what it looks at, phrase files included, and what it does besides the other members. */
export type CrsRuleMember = 'message' | 'severity' | 'paranoiaLevel' | 'tags' | 'text'

export interface ChangedCrsRule {
  readonly before: CrsRule
  readonly after: CrsRule
  readonly members: readonly CrsRuleMember[]
}

/** Rules in the order of their numbers. */
export interface CrsComparison {
  readonly added: readonly CrsRule[]
  readonly changed: readonly ChangedCrsRule[]
  readonly removed: readonly CrsRule[]
}

/**
 * The changes between two releases. A rule is the same if it has the same number, regardless of the layout of its text
 * and the version that it names.
 * @throws CrsError `does-not-compile` if a release can no longer be parsed
 */
export function compareReleases(before: readonly CrsFile[], after: readonly CrsFile[]): CrsComparison {
  const [old, now] = [rulesOf(before), rulesOf(after)]
  const numbers = [...new Set([...old.keys(), ...now.keys()])].sort((a, b) => a - b)
  const added: CrsRule[] = []
  const changed: ChangedCrsRule[] = []
  const removed: CrsRule[] = []
  for (const number of numbers) {
    const [was, is] = [old.get(number), now.get(number)]
    if (was === undefined) added.push(is!.rule)
    else if (is === undefined) removed.push(was.rule)
    else {
      const members = changedMembers(was, is)
      if (members.length > 0) changed.push({ before: was.rule, after: is.rule, members })
    }
  }
  return { added, changed, removed }
}

/** A release by its version number here, or the newest import of a CRS version. */
export function findRelease(releases: readonly CrsRelease[], name: string): CrsRelease | undefined {
  return (
    releases.find(release => String(release.version) === name) ??
    releases.findLast(release => release.crsVersion === name)
  )
}

interface ReadRule {
  readonly rule: CrsRule
  /** The same for rules that do the same. */
  readonly meaning: string
}

function rulesOf(files: readonly CrsFile[]): ReadonlyMap<number, ReadRule> {
  const rules = new Map<number, ReadRule>()
  const dataOf = (name: string, source: string) =>
    files.find(file => file.name === resolveReference(name, source))?.text
  for (const statement of ruleStatementsOf(files)) {
    const rule = ruleOf(statement)
    if (rule !== undefined)
      rules.set(rule.id, { rule, meaning: JSON.stringify(meaningOf(statement, dataOf)) })
  }
  return rules
}

/** Actions with separate members, and the release's version. */
const described: ReadonlySet<string> = new Set(['id', 'msg', 'severity', 'tag', 'ver', 'rev'])

type DataOf = (name: string, source: string) => string | undefined

/** With the phrases of the files that a rule names: other phrases are another rule. */
function meaningOf(statement: RuleLike, dataOf: DataOf): unknown {
  const actions = statement.actions
    .filter(action => !described.has(action.name))
    .map(({ name, value }) => [name, value])
  if (statement.kind === 'action') return { actions }
  const { operator, variables, links } = statement
  return {
    variables: variables.map(({ name, exclude, count, selector }) => [name, exclude, count, selector]),
    operator: [operator.name, operator.negated, operator.parameter],
    data: operator.name.endsWith('FromFile')
      ? operator.parameter.split(' ').map(name => dataOf(name, statement.span.source))
      : [],
    actions,
    links: links.map(link => meaningOf(link, dataOf)),
  }
}

function changedMembers(was: ReadRule, is: ReadRule): readonly CrsRuleMember[] {
  const [a, b] = [was.rule, is.rule]
  const members: CrsRuleMember[] = []
  if (a.message !== b.message) members.push('message')
  if (a.severity !== b.severity) members.push('severity')
  if (a.paranoiaLevel !== b.paranoiaLevel) members.push('paranoiaLevel')
  if ([...a.tags].sort().join('\n') !== [...b.tags].sort().join('\n')) members.push('tags')
  if (was.meaning !== is.meaning) members.push('text')
  return members
}
