import type { CrsFile, CrsRelease } from '../model/resource.ts'
import {
  type Action,
  type ActionStatement,
  parse,
  type RuleStatement,
  type SourceFile,
} from '../seclang/index.ts'
import { assemble } from './assemble.ts'
import { CrsError } from './crs-error.ts'
import { includedFiles, resolveReference } from './resolve.ts'

/** What a rule of a release says. */
export interface CrsRule {
  readonly id: number
  /** File of the release. */
  readonly file: string
  readonly message: string
  /** In upper case; empty when it has none. */
  readonly severity: string
  /** 1–4; 0 when it belongs to no level. */
  readonly paranoiaLevel: number
  readonly tags: readonly string[]
  /** As written, chain included; byte string. */
  readonly text: string
}

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
 * What another release would change. A rule is the same one when it has the same number; how its text is laid out and
 * which version it names does not matter.
 * @throws CrsError `does-not-compile` when a release cannot be read any more
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

type RuleLike = RuleStatement | ActionStatement

function rulesOf(files: readonly CrsFile[]): ReadonlyMap<number, ReadRule> {
  const rules = new Map<number, ReadRule>()
  const dataOf = (name: string, source: string) =>
    files.find(file => file.name === resolveReference(name, source))?.text
  for (const statement of statementsOf(files)) {
    if (statement.kind !== 'rule' && statement.kind !== 'action') continue
    const rule = ruleOf(statement)
    if (rule !== undefined)
      rules.set(rule.id, { rule, meaning: JSON.stringify(meaningOf(statement, dataOf)) })
  }
  return rules
}

function statementsOf(files: readonly CrsFile[]) {
  const own = new Set(files.map(file => file.name))
  const sources: readonly SourceFile[] = assemble(files, undefined).filter(file => own.has(file.name))
  const parsed = parse(sources, { include: (name, from) => includedFiles(name, from, files) })
  if (!parsed.ok) throw CrsError.fromDiagnostics('a CRS release', parsed.diagnostics)
  return parsed.value
}

function ruleOf(statement: RuleLike): CrsRule | undefined {
  const id = Number(lastOf(statement.actions, 'id'))
  if (!Number.isInteger(id)) return undefined
  const links = statement.kind === 'rule' ? statement.links : []
  const tags = [statement, ...links].flatMap(part => valuesOf(part.actions, 'tag'))
  return {
    id,
    file: statement.span.source,
    message: lastOf(statement.actions, 'msg') ?? '',
    severity: (lastOf(statement.actions, 'severity') ?? '').toUpperCase(),
    paranoiaLevel: levelOf(tags),
    tags,
    text: [statement, ...links].map(part => part.text).join('\n'),
  }
}

function levelOf(tags: readonly string[]): number {
  const level = tags.find(tag => /^paranoia-level\/[1-4]$/.test(tag))
  return level === undefined ? 0 : Number(level.slice(-1))
}

/** Members of their own, and the release's version. */
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

function valuesOf(actions: readonly Action[], name: string): readonly string[] {
  return actions.filter(action => action.name === name).map(action => action.value ?? '')
}

function lastOf(actions: readonly Action[], name: string): string | undefined {
  return valuesOf(actions, name).at(-1)
}
