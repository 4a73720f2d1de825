import type { VariablePlan } from '../gate/value-plan.ts'
import type { Phase } from './draft.ts'
import { addRule, newRuleBits, type RuleBits } from './rule-bits.ts'
import type { RuleGroups } from './rule-groups.ts'
import type { RuleSearch, RuleSearches } from './rule-search.ts'

/** What of a program a masked one needs. */
interface Maskable {
  readonly groups: RuleGroups
  readonly searches: RuleSearches
}

/** What a mask leaves of a program. Small: ten thousand zones may have one each. */
export class MaskedProgram {
  readonly ruleCount: number
  readonly enabled: RuleBits
  readonly #program: Maskable
  #search: RuleSearch | undefined

  /** @param enabled by index: 1 for rules that are on */
  constructor(program: Maskable, enabled: Uint8Array) {
    this.#program = program
    this.ruleCount = enabled.length
    this.enabled = newRuleBits(enabled.length)
    for (let index = 0; index < enabled.length; index++)
      if (enabled[index] === 1) addRule(this.enabled, index)
  }

  get wantsRequestBody(): boolean {
    return this.#hasSome(this.#program.groups.readRequestBody)
  }

  get wantsResponseBody(): boolean {
    return this.#hasSome(this.#program.groups.readResponseBody)
  }

  /** Values that are complete from that phase on, and what to ask of them; also for some rules that are off. */
  plans(stage: Phase): readonly VariablePlan[] {
    this.#search ??= this.#program.searches.of(this.enabled)
    return this.#search.plans(stage)
  }

  #hasSome(rules: RuleBits): boolean {
    const { enabled } = this
    for (let word = 0; word < rules.length; word++) if ((rules[word]! & enabled[word]!) !== 0) return true
    return false
  }
}
