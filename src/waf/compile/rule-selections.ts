import type { Span } from '../../seclang/ast.ts'
import type { RuleChoice } from '../actions/facts.ts'
import { inRanges } from '../actions/id-ranges.ts'
import { addRule, newRuleBits, type RuleBits } from '../program/rule-bits.ts'
import type { RuleSelection } from '../program/selections.ts'
import type { ProgramRule } from '../types.ts'
import type { Patterns } from './patterns.ts'

/** The rules named by `ctl` actions. They may be below the action, so they are looked up once all are known. */
export class RuleSelections {
  readonly #patterns: Patterns
  #rules: readonly ProgramRule[] = []

  constructor(patterns: Patterns) {
    this.#patterns = patterns
  }

  /** A selection that may be used after `resolve`. */
  add(choice: RuleChoice, span: Span): RuleSelection {
    return new ChosenRules(() => this.#rules, this.#test(choice, span))
  }

  resolve(rules: readonly ProgramRule[]): void {
    this.#rules = rules
  }

  #test(choice: RuleChoice, span: Span): (rule: ProgramRule) => boolean {
    if (choice.by === 'id') return rule => inRanges(rule.id, choice.ranges)
    const found = this.#patterns.searcher(choice.pattern, span)
    return choice.by === 'tag' ? rule => rule.tags.some(found) : rule => found(rule.message)
  }
}

/** Computed at first use: most rules with a `ctl` never match. */
class ChosenRules implements RuleSelection {
  readonly #rules: () => readonly ProgramRule[]
  readonly #chosen: (rule: ProgramRule) => boolean
  #bits: RuleBits | undefined
  #concernsTx: boolean | undefined

  constructor(rules: () => readonly ProgramRule[], chosen: (rule: ProgramRule) => boolean) {
    this.#rules = rules
    this.#chosen = chosen
  }

  get bits(): RuleBits {
    this.#bits ??= this.#choose()
    return this.#bits
  }

  get concernsTx(): boolean {
    this.#concernsTx ??= this.#rules().some(rule => rule.role === 'support' && this.#chosen(rule))
    return this.#concernsTx
  }

  #choose(): RuleBits {
    const rules = this.#rules()
    const bits = newRuleBits(rules.length)
    for (const [index, rule] of rules.entries()) if (this.#chosen(rule)) addRule(bits, index)
    return bits
  }
}
