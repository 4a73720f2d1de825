import type { CrsFile } from '../model/resource.ts'
import { type CrsRule, type RuleLike, ruleOf, ruleStatementsOf } from './rules.ts'

/** A rule with its line; `text` has the line breaks of the file. */
export interface WrittenRule extends CrsRule {
  /** From 1: where the rule begins in its file. */
  readonly line: number
}

/**
 * The rules of a release by their numbers, for people who want to read them. Parses all files: some ten milliseconds.
 * @throws CrsError `does-not-compile` when the release cannot be read any more
 */
export function writtenRules(files: readonly CrsFile[]): ReadonlyMap<number, WrittenRule> {
  const lines = new Map(files.map(file => [file.name, file.text.split('\n')]))
  const rules = new Map<number, WrittenRule>()
  for (const statement of ruleStatementsOf(files)) {
    const rule = ruleOf(statement)
    if (rule === undefined) continue
    const links = statement.kind === 'rule' ? statement.links : []
    const text = [statement, ...links].map(part => textOf(part, lines.get(part.span.source) ?? []))
    rules.set(rule.id, { ...rule, line: statement.span.line, text: text.join('\n') })
  }
  return rules
}

/** From the line that the directive begins in to the first that is not continued. */
function textOf({ span }: RuleLike, lines: readonly string[]): string {
  const begin = span.line - 1
  let end = begin
  while (end < lines.length && /\\\s*$/.test(lines[end]!)) end++
  return lines
    .slice(begin, end + 1)
    .map(line => line.trimEnd())
    .join('\n')
}
