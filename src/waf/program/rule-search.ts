import { wafLimits } from '../limits.ts'
import { type CountedLink, CountPlan } from '../prefilter/count-plan.ts'
import { Memo, type MemoAllowance } from '../prefilter/memo.ts'
import type { Prefilter } from '../prefilter/prefilter.ts'
import type { PrefilteredRule } from '../prefilter/prefiltered-rule.ts'
import { usualValuesOf } from '../prefilter/usual-values.ts'
import { ValuePlan, VariablePlan } from '../prefilter/value-plan.ts'
import type { Variable } from '../variables/state.ts'
import type { CompiledRule, CompiledTarget } from './compiled.ts'
import type { Phase } from './draft.ts'
import { addRules, countRules, hasRule, type RuleBits } from './rule-bits.ts'
import type { RuleGroups } from './rule-groups.ts'

/** The source of values: a request, or its response. */
export type Side = 'request' | 'response'

/** The parts of a program that a search needs. */
export interface Searchable {
  readonly ordered: readonly CompiledRule[]
  readonly prefiltered: readonly PrefilteredRule[]
  readonly countedLinks: readonly CountedLink[]
  readonly groups: RuleGroups
  prefilter(side: Side): Prefilter
  /** Undefined without memos. */
  readonly memoAllowance: MemoAllowance | undefined
}

/** The plans for the values that are complete from a phase on. */
export interface StagePlans {
  readonly variables: readonly VariablePlan[]
  readonly counts: readonly CountPlan[]
}

/** The plans for a request's values for some rules, and their memos. */
export class RuleSearch {
  readonly #program: Searchable
  readonly #rules: RuleBits
  /** By stage. */
  readonly #plans: (StagePlans | undefined)[] = []

  constructor(program: Searchable, rules: RuleBits) {
    this.#program = program
    this.#rules = rules
  }

  /** Plans for the values that are complete from that phase on. */
  plans(stage: Phase): StagePlans {
    let plans = this.#plans[stage]
    if (plans === undefined) {
      plans = { variables: this.#variablePlans(stage), counts: this.#countPlans(stage) }
      this.#plans[stage] = plans
    }
    return plans
  }

  #countPlans(stage: Phase): CountPlan[] {
    const bySelection = new Map<number, { target: CompiledTarget; links: CountedLink[] }>()
    for (const counted of this.#program.countedLinks) {
      const { info } = counted.rule
      if (!hasRule(this.#rules, info.index)) continue
      for (const target of counted.link.targets) {
        if (stageOf(target.variable, info.phase) !== stage) continue
        const known = bySelection.get(target.selection)
        if (known === undefined) bySelection.set(target.selection, { target, links: [counted] })
        else known.links.push(counted)
      }
    }
    const { length } = this.#program.ordered
    return Array.from(bySelection.values(), ({ target, links }) => new CountPlan(target, links, length))
  }

  #variablePlans(stage: Phase): VariablePlan[] {
    const byVariable = new Map<Variable, PrefilteredRule[]>()
    for (const rule of this.#program.prefiltered) {
      if (!hasRule(this.#rules, rule.index)) continue
      const variables = new Set(rule.rule.links[0]!.targets.map(target => target.variable))
      for (const variable of variables) {
        if (stageOf(variable, rule.rule.info.phase) !== stage) continue
        if (byVariable.has(variable)) byVariable.get(variable)!.push(rule)
        else byVariable.set(variable, [rule])
      }
    }
    return Array.from(byVariable, ([variable, rules]) => this.#makePlan(variable, rules))
  }

  #makePlan(variable: Variable, rules: readonly PrefilteredRule[]): VariablePlan {
    const { ordered, memoAllowance } = this.#program
    const prefilter = this.#program.prefilter(sideOf(variable))
    return new VariablePlan(variable, rules, chosen => {
      if (chosen.length === 0) return undefined
      const memo = memoAllowance === undefined ? undefined : new Memo(memoAllowance)
      return new ValuePlan(chosen, ordered.length, prefilter, usualValuesOf(variable), memo)
    })
  }
}

/**
 * The searches of a program. A search is large and has memos, so masks that differ in a few rules share one; hits of
 * disabled rules are ignored. Kept while some mask uses it.
 */
export class RuleSearches {
  readonly #program: Searchable
  /** By the rules that they are for. */
  readonly #made = new Map<string, WeakRef<RuleSearch>>()

  constructor(program: Searchable) {
    this.#program = program
  }

  /** @param enabled rules that it must cover */
  of(enabled: RuleBits): RuleSearch {
    const { all } = this.#program.groups
    const whole = this.#wholeGroups(enabled)
    const few = countRules(enabled) * ownSearchPaysBelow < countRules(whole)
    return (few ? this.#for(enabled) : undefined) ?? this.#for(whole) ?? this.#for(all, true)!
  }

  /** All rules of the groups with an enabled rule. */
  #wholeGroups(enabled: RuleBits): RuleBits {
    const { alike, support } = this.#program.groups
    const whole = support.slice()
    for (const group of alike) {
      if (group.some((word, at) => (word & enabled[at]!) !== 0)) addRules(whole, group)
    }
    return whole
  }

  /** Undefined if there are too many already, unless it is required. */
  #for(rules: RuleBits, always = false): RuleSearch | undefined {
    const key = rules.join()
    const known = this.#made.get(key)?.deref()
    if (known !== undefined) return known
    for (const [old, reference] of this.#made) if (reference.deref() === undefined) this.#made.delete(old)
    if (!always && this.#made.size >= wafLimits.searchesMax) return undefined
    const made = new RuleSearch(this.#program, rules)
    this.#made.set(key, new WeakRef(made))
    return made
  }
}

/** A mask with fewer rules than this part of a shared search has a separate search. */
const ownSearchPaysBelow = 2

export function sideOf({ freshness }: Variable): Side {
  return freshness === 'response' || freshness === 'response-body' ? 'response' : 'request'
}

/**
 * The phase from whose start all values of the variable are complete for its rules. Arguments of the query are complete
 * in phase 1, and again in phase 2 with those of the body.
 */
function stageOf({ freshness }: Variable, phase: Phase): Phase {
  if (freshness === 'request') return 1
  if (freshness === 'body') return phase === 1 ? 1 : 2
  return freshness === 'response-body' ? 4 : 3
}
