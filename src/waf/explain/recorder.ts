import type { CompiledProgram } from '../program/program.ts'
import type { ObservedTest, Observer, ProgramRule, Transaction } from '../types.ts'
import type { ExplainedLink, ExplainedMatch, ExplainOptions, RuleOutcome } from './explanation.ts'
import { LinkRecord } from './link-record.ts'
import { shown } from './shown.ts'

/** Records the events of a transaction that the explanation needs. */
export class Recorder implements Observer {
  readonly matches: ExplainedMatch[] = []
  /** Outcome of the wanted rule, once it was run or skipped. */
  outcome: RuleOutcome | undefined
  /** Rules that ended a phase before its end. */
  readonly ends: { readonly by: ProgramRule; readonly how: Parameters<Observer['ended']>[1] }[] = []
  readonly #program: CompiledProgram
  readonly #options: ExplainOptions
  readonly #transaction: () => Transaction
  /** The links of the current rule so far. */
  #links: LinkRecord[] = []

  constructor(program: CompiledProgram, options: ExplainOptions, transaction: () => Transaction) {
    this.#program = program
    this.#options = options
    this.#transaction = transaction
  }

  tested(test: ObservedTest): void {
    const link = this.#linkOf(test.rule, test.link)
    if (test.matched || test.rule.id === this.#options.rule) link.add(test)
  }

  nothingToTest(rule: ProgramRule, link: number): void {
    this.#linkOf(rule, link)
  }

  excluded(rule: ProgramRule, link: number, target: string, by: ProgramRule): void {
    this.#linkOf(rule, link).exclude(target, by)
  }

  ran(rule: ProgramRule, matched: boolean): void {
    const isAsked = rule.id === this.#options.rule
    if (matched || isAsked) {
      const links = this.#links.map(link => link.explained())
      if (matched) this.#addMatch(rule, links, isAsked)
      else if (isAsked) {
        this.outcome = {
          outcome: links.at(-1)!.values.length === 0 ? 'nothing-to-test' : 'no-match',
          rule,
          links,
        }
      }
    }
    this.#links = []
  }

  skipped(rule: ProgramRule, why: 'removed' | 'jumped-over', by: ProgramRule | undefined): void {
    if (rule.id === this.#options.rule) this.outcome = { outcome: why, rule, by }
  }

  ended(by: ProgramRule, how: Parameters<Observer['ended']>[1]): void {
    this.ends.push({ by, how })
  }

  #linkOf(rule: ProgramRule, index: number): LinkRecord {
    let link = this.#links[index]
    if (link === undefined) {
      const compiled = this.#program.ordered[rule.index]!.links[index]!
      link = this.#links[index] = new LinkRecord(rule, index, compiled)
    }
    return link
  }

  #addMatch(rule: ProgramRule, links: readonly ExplainedLink[], isAsked: boolean): void {
    const transaction = this.#transaction()
    const logged = transaction.matches.at(-1)
    const helper = logged?.rule !== rule
    const { requestScore, responseScore } = transaction
    const match: ExplainedMatch = {
      rule,
      helper,
      message: shown(helper ? rule.message : logged.message),
      data: shown(helper ? '' : logged.data),
      score: rule.score,
      total: rule.phase === 3 || rule.phase === 4 ? responseScore : requestScore,
      links,
    }
    if (!helper || this.#options.helpers === true) this.matches.push(match)
    if (isAsked) this.outcome = { outcome: 'matched', match }
  }
}
