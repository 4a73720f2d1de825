import type { Phase } from './draft.ts'
import { addRule, newRuleBits, type RuleBits } from './rule-bits.ts'
import type { RuleGroups } from './rule-groups.ts'
import type { RuleSearch, RuleSearches, StagePlans } from './rule-search.ts'

/** The parts of a program that a masked one needs. */
interface Maskable {
  readonly groups: RuleGroups
  readonly searches: RuleSearches
}

/** A program under a mask. Small: ten thousand zones may have one each. */
export class MaskedProgram {
  readonly ruleCount: number
  readonly enabled: RuleBits
  readonly #program: Maskable
  #search: RuleSearch | undefined

  /** @param enabled by index: 1 for enabled rules */
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

  /** Plans for the values that are complete from that phase on; also for some disabled rules. */
  plans(stage: Phase): StagePlans {
    this.#search ??= this.#program.searches.of(this.enabled)
    return this.#search.plans(stage)
  }

  #hasSome(rules: RuleBits): boolean {
    const { enabled } = this
    for (let word = 0; word < rules.length; word++) if ((rules[word]! & enabled[word]!) !== 0) return true
    return false
  }
}
