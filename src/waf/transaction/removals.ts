import type { CompiledException } from '../program/exception.ts'
import { addRules, hasRule, newRuleBits, type RuleBits } from '../program/rule-bits.ts'
import type { Exclusion, RuleSelection } from '../program/selections.ts'
import type { ProgramRule } from '../types.ts'

/** Values that a rule does not test. */
export interface SkippedTarget {
  readonly target: Exclusion
  /** The rule with the `ctl`; undefined for an exception. */
  readonly by: ProgramRule | undefined
}

export const nothingSkipped: readonly SkippedTarget[] = []

/** Targets that a `ctl` has removed. */
interface RemovedTarget extends SkippedTarget {
  readonly rules: RuleSelection
}

/** Rules and targets removed from one transaction: by its exceptions, or by a `ctl:ruleRemove…` of a rule. */
export class Removals {
  readonly #ruleCount: number
  readonly #exceptions: readonly CompiledException[]
  /** Disabled rules: by an exception, then also by a `ctl`. */
  #rules: RuleBits | undefined
  /** Whether `#rules` belongs to an exception and must not be changed. */
  #rulesAreShared = false
  readonly #targets: RemovedTarget[] = []
  /** The remover of each removed rule; undefined if it will not be needed. */
  readonly #removers: Map<RuleSelection, ProgramRule | undefined> | undefined

  /** @param knowsRemovers whether `removerOf` will be called */
  constructor(
    ruleCount: number,
    exceptions: readonly CompiledException[] = noExceptions,
    knowsRemovers = false,
  ) {
    this.#ruleCount = ruleCount
    this.#exceptions = exceptions
    this.#removers = knowsRemovers ? new Map() : undefined
    for (const { off } of exceptions) if (off !== undefined) this.#switchOff(off)
  }

  /** @param by the rule with the `ctl` */
  removeRules(rules: RuleSelection, by: ProgramRule | undefined): void {
    this.#removers?.set(rules, by)
    addRules(this.#ownRules(), rules.bits)
  }

  /** @param by the rule with the `ctl` */
  removeTarget(rules: RuleSelection, target: Exclusion, by: ProgramRule): void {
    const known = this.#targets.some(removed => removed.rules === rules && removed.target === target)
    if (!known) this.#targets.push({ rules, target, by })
  }

  /** Whether the rule with this index is removed. */
  hasRule(index: number): boolean {
    return this.#rules !== undefined && hasRule(this.#rules, index)
  }

  /** @returns undefined for an exception */
  removerOf(index: number): ProgramRule | undefined {
    for (const [rules, by] of this.#removers ?? []) if (hasRule(rules.bits, index)) return by
    return undefined
  }

  /** Values that the rule with this index does not test. */
  targetsOf(index: number): readonly SkippedTarget[] {
    if (this.#targets.length === 0 && this.#exceptions.length === 0) return nothingSkipped
    let concerning: SkippedTarget[] | undefined
    for (const removed of this.#targets) {
      if (!hasRule(removed.rules.bits, index)) continue
      concerning ??= []
      concerning.push(removed)
    }
    for (const { targets } of this.#exceptions) {
      for (const unseen of targets) {
        if (!hasRule(unseen.rules, index)) continue
        concerning ??= []
        concerning.push(unseen)
      }
    }
    return concerning ?? nothingSkipped
  }

  /** One exception needs no copy. */
  #switchOff(off: RuleBits): void {
    if (this.#rules === undefined) {
      this.#rules = off
      this.#rulesAreShared = true
    } else addRules(this.#ownRules(), off)
  }

  /** A copy of `#rules` that may be changed. */
  #ownRules(): RuleBits {
    if (this.#rules === undefined) this.#rules = newRuleBits(this.#ruleCount)
    else if (this.#rulesAreShared) this.#rules = this.#rules.slice()
    this.#rulesAreShared = false
    return this.#rules
  }
}

const noExceptions: readonly CompiledException[] = []
