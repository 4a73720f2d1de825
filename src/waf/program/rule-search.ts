import { wafLimits } from '../../kit/limits.ts'
import type { Gate } from '../gate/gate.ts'
import type { GatedRule } from '../gate/gated-rule.ts'
import { Memo, type MemoAllowance } from '../gate/memo.ts'
import { ValuePlan, VariablePlan } from '../gate/value-plan.ts'
import type { Variable } from '../variables/state.ts'
import type { CompiledRule } from './compiled.ts'
import type { Phase } from './draft.ts'
import { addRules, countRules, hasRule, type RuleBits } from './rule-bits.ts'
import type { RuleGroups } from './rule-groups.ts'

/** Where values come from: a request, or a response besides. */
export type Side = 'request' | 'response'

/** What of a program a search needs. */
export interface Searchable {
  readonly ordered: readonly CompiledRule[]
  readonly gated: readonly GatedRule[]
  readonly groups: RuleGroups
  gate(side: Side): Gate
  /** Undefined when nothing is remembered. */
  readonly memoAllowance: MemoAllowance | undefined
}

/** What to ask of the values of a request for the sake of some rules, and what was learnt of them. */
export class RuleSearch {
  readonly #program: Searchable
  readonly #rules: RuleBits
  /** By stage. */
  readonly #plans: (readonly VariablePlan[] | undefined)[] = []

  constructor(program: Searchable, rules: RuleBits) {
    this.#program = program
    this.#rules = rules
  }

  /** Values that are complete from that phase on, and what to ask of them. */
  plans(stage: Phase): readonly VariablePlan[] {
    let plans = this.#plans[stage]
    if (plans === undefined) plans = this.#plans[stage] = this.#makePlans(stage)
    return plans
  }

  #makePlans(stage: Phase): VariablePlan[] {
    const byVariable = new Map<Variable, GatedRule[]>()
    for (const rule of this.#program.gated) {
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

  #makePlan(variable: Variable, rules: readonly GatedRule[]): VariablePlan {
    const { ordered, memoAllowance } = this.#program
    const gate = this.#program.gate(sideOf(variable))
    return new VariablePlan(variable, rules, chosen => {
      if (chosen.length === 0) return undefined
      const memo = memoAllowance === undefined ? undefined : new Memo(memoAllowance)
      return new ValuePlan(chosen, ordered.length, gate, memo)
    })
  }
}

/**
 * The searches of a program. One is large and learns, so that masks which differ in a few rules share one: what it finds
 * of rules that are off is left aside. Kept as long as some mask has it.
 */
export class RuleSearches {
  readonly #program: Searchable
  /** By the rules that they are for. */
  readonly #made = new Map<string, WeakRef<RuleSearch>>()

  constructor(program: Searchable) {
    this.#program = program
  }

  /** @param enabled rules for which it is to do at least */
  of(enabled: RuleBits): RuleSearch {
    const { all } = this.#program.groups
    const whole = this.#wholeGroups(enabled)
    const few = countRules(enabled) * ownSearchPaysBelow < countRules(whole)
    return (few ? this.#for(enabled) : undefined) ?? this.#for(whole) ?? this.#for(all, true)!
  }

  /** All rules of the groups of which one is enabled. */
  #wholeGroups(enabled: RuleBits): RuleBits {
    const { alike, support } = this.#program.groups
    const whole = support.slice()
    for (const group of alike) {
      if (group.some((word, at) => (word & enabled[at]!) !== 0)) addRules(whole, group)
    }
    return whole
  }

  /** Undefined when there are too many already, unless it has to be. */
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

/** With fewer rules than this part of what others search for, a mask has a search of its own. */
const ownSearchPaysBelow = 2

export function sideOf({ freshness }: Variable): Side {
  return freshness === 'response' || freshness === 'response-body' ? 'response' : 'request'
}

/**
 * The phase at whose start values of the variable are all there for a rule of that phase. Arguments of the query are
 * there in phase 1 for its rules, and again in phase 2 with those of the body.
 */
function stageOf({ freshness }: Variable, phase: Phase): Phase {
  if (freshness === 'request') return 1
  if (freshness === 'body') return phase === 1 ? 1 : 2
  return freshness === 'response-body' ? 4 : 3
}
