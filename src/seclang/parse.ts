import type { Outcome } from '../kit/diagnostic.ts'
import { parseActions } from './action-list.ts'
import type {
  Action,
  DirectiveStatement,
  RuleStatement,
  SourceFile,
  Statement,
  VariableSelector,
} from './ast.ts'
import { RuleChecks } from './checks.ts'
import { type DirectiveShape, directives } from './directives.ts'
import { seclangLimits } from './limits.ts'
import { hintOrList } from './name-table.ts'
import { parseOperator } from './operator-call.ts'
import { Report } from './report.ts'
import { type LogicalLine, logicalLines } from './source-lines.ts'
import { parseTargets } from './targets.ts'
import { splitWords, type Word } from './words.ts'

export interface ParseOptions {
  /**
   * The files named by an `Include` or `IncludeOptional` (its argument may be a pattern), in load order; undefined or
   * empty if there are none. Without a resolver an `Include` is refused.
   */
  readonly include?: (path: string, fromSource: string) => readonly SourceFile[] | undefined
}

/**
 * Reads SecLang sources in load order. Does no I/O; linear in the size of the sources.
 * @returns statements in load order, or the diagnostics of all sources (at most `seclangLimits.diagnosticsMax`), by
 * code:
 * `unknown-` `directive` `variable` `operator` `transformation` `action` `ctl`;
 * `unclosed-quote` `unclosed-regex` `unexpected-text` `missing-argument` `extra-argument` `invalid-argument`;
 * `missing-variable` `missing-key` `unexpected-selector` `missing-value` `unexpected-value`;
 * `missing-id` `invalid-id` `duplicate-id` `missing-phase` `invalid-phase` `misplaced-action`;
 * `broken-chain` `include-not-found` `include-too-deep` `source-too-large`
 * `too-many-sources`
 */
export function parse(
  files: readonly SourceFile[],
  options: ParseOptions = {},
): Outcome<readonly Statement[]> {
  const parser = new Parser(options)
  for (const file of files) parser.file(file, 0)
  const { diagnostics } = parser.report
  return diagnostics.length === 0 ? { ok: true, value: parser.statements } : { ok: false, diagnostics }
}

/** A rule whose `chain` waits for its next link. */
interface OpenChain {
  readonly chain: Action
  readonly links: RuleStatement[]
}

class Parser {
  readonly report = new Report()
  readonly statements: Statement[] = []
  readonly #checks = new RuleChecks(this.report)
  readonly #options: ParseOptions
  #open: OpenChain | undefined
  #sources = 0

  constructor(options: ParseOptions) {
    this.#options = options
  }

  file(file: SourceFile, depth: number): void {
    if (!this.#withinLimits(file)) return
    for (const line of logicalLines(file)) {
      if (this.report.full) return
      const words = splitWords(line, this.report)
      // An unreadable directive may have been the link that a chain waits for.
      if (words === undefined) this.#open = undefined
      else if (words.length > 0) this.#directive(line, words, depth)
    }
    this.#breakChain('the file ends')
  }

  #withinLimits(file: SourceFile): boolean {
    const span = { source: file.name, line: 1, column: 1, length: 1 }
    const { sourceBytesMax, sourcesMax } = seclangLimits
    if (file.text.length > sourceBytesMax) {
      this.report.add('source-too-large', span, `the file is larger than ${sourceBytesMax} bytes`)
      return false
    }
    this.#sources++
    if (this.#sources === sourcesMax + 1) {
      this.report.add('too-many-sources', span, `more than ${sourcesMax} files are loaded`)
    }
    return this.#sources <= sourcesMax
  }

  #directive(line: LogicalLine, words: readonly Word[], depth: number): void {
    const [head, ...rest] = words as readonly [Word, ...Word[]]
    const known = directives.find(head.text)
    if (known === undefined) {
      const message = `unknown directive ${head.text}`
      this.report.add('unknown-directive', head.span(), message, directives.hint(head.text))
      return
    }
    const { name, entry } = known
    const links = name === 'SecRule' ? this.#open?.links : undefined
    if (name !== 'SecRule') this.#breakChain(`${name} follows`)
    if (!this.#countsRight(name, entry, head, rest)) {
      this.#open = undefined
      return
    }
    if (name === 'SecRule') this.#rule(line, head, rest, links)
    else if (name === 'SecAction') this.#action(line, head, rest[0]!)
    else if (name === 'SecMarker')
      this.statements.push({ kind: 'marker', span: head.span(), name: rest[0]!.text })
    else if (name === 'Include') this.#include(head, rest[0]!, depth, true)
    else if (name === 'IncludeOptional') this.#include(head, rest[0]!, depth, false)
    else this.#other(name, entry, head, rest)
  }

  #countsRight(name: string, shape: DirectiveShape, head: Word, rest: readonly Word[]): boolean {
    if (rest.length < shape.min) {
      const message = `${name} needs ${shape.min === 1 ? 'an argument' : `${shape.min} arguments`}`
      this.report.add('missing-argument', head.span(), message)
      return false
    }
    const extra = rest[shape.max]
    if (extra === undefined) return true
    const message = `${name} takes ${shape.max} argument${shape.max === 1 ? '' : 's'} at most`
    this.report.add('extra-argument', extra.span(), message, 'put an argument with blanks in quotes')
    return false
  }

  #rule(line: LogicalLine, head: Word, rest: readonly Word[], chain: RuleStatement[] | undefined): void {
    const [targets, condition, list] = rest as readonly [Word, Word, Word?]
    const links: RuleStatement[] = []
    const rule: RuleStatement = {
      kind: 'rule',
      span: head.span(),
      text: line.text.trim(),
      variables: parseTargets(targets, this.report),
      // After a diagnostic the statements are not returned, so any operator will do.
      operator: parseOperator(condition, this.report) ?? {
        span: condition.span(),
        name: 'noMatch',
        negated: false,
        parameter: '',
      },
      actions: list === undefined ? [] : parseActions(list, this.report),
      links,
    }
    if (chain === undefined) {
      this.#checks.head(rule.actions, rule.span)
      this.statements.push(rule)
    } else {
      this.#checks.link(rule.actions)
      chain.push(rule)
    }
    const next = rule.actions.find(action => action.name === 'chain')
    this.#open = next === undefined ? undefined : { chain: next, links: chain ?? links }
    if (this.#open !== undefined && this.#open.links.length >= seclangLimits.chainLinksMax) {
      this.report.add('broken-chain', rule.span, `a chain has at most ${seclangLimits.chainLinksMax} links`)
      this.#open = undefined
    }
  }

  #action(line: LogicalLine, head: Word, list: Word): void {
    const actions = parseActions(list, this.report)
    this.#checks.head(actions, head.span())
    const chain = actions.find(action => action.name === 'chain')
    if (chain !== undefined) this.report.add('misplaced-action', chain.span, 'SecAction cannot begin a chain')
    this.statements.push({ kind: 'action', span: head.span(), text: line.text.trim(), actions })
  }

  #other(name: string, shape: DirectiveShape, head: Word, rest: readonly Word[]): void {
    let actions: readonly Action[] | undefined
    let variables: readonly VariableSelector[] | undefined
    const last = rest.at(-1)
    if (last !== undefined && shape.last === 'actions') actions = parseActions(last, this.report)
    if (last !== undefined && shape.last === 'targets') variables = parseTargets(last, this.report)
    if (name === 'SecDefaultAction') this.#checks.defaults(actions ?? [], head.span())
    const statement: DirectiveStatement = {
      kind: 'directive',
      span: head.span(),
      name,
      arguments: rest.map(word => this.#argument(name, shape, word)),
      ...(actions === undefined ? {} : { actions }),
      ...(variables === undefined ? {} : { variables }),
    }
    this.statements.push(statement)
  }

  #argument(name: string, shape: DirectiveShape, word: Word): string {
    if (shape.values === undefined) return word.text
    const value = shape.values.find(word.text)
    if (value !== undefined) return value.name
    const hint = hintOrList(shape.values, word.text)
    this.report.add('invalid-argument', word.span(), `${name} cannot be ${word.text}`, hint)
    return word.text
  }

  #include(head: Word, path: Word, depth: number, required: boolean): void {
    if (depth >= seclangLimits.includeDepthMax) {
      const message = `files include each other more than ${seclangLimits.includeDepthMax} deep`
      this.report.add('include-too-deep', head.span(), message)
      return
    }
    const files = this.#options.include?.(path.text, head.span().source) ?? []
    if (files.length === 0 && required) {
      const hint = this.#options.include === undefined ? 'Include is not available here' : undefined
      this.report.add('include-not-found', path.span(), `there is no file ${path.text}`, hint)
    }
    for (const file of files) {
      if (this.report.full || this.#sources > seclangLimits.sourcesMax) return
      this.file(file, depth + 1)
    }
  }

  #breakChain(why: string): void {
    if (this.#open === undefined) return
    const message = `the chain has no next rule: ${why}`
    this.report.add(
      'broken-chain',
      this.#open.chain.span,
      message,
      'remove chain, or add a SecRule after the rule',
    )
    this.#open = undefined
  }
}
