import type { Gate } from '../gate/gate.ts'
import type { GatedRule } from '../gate/gated-rule.ts'
import { Memo, type MemoAllowance } from '../gate/memo.ts'
import { ValuePlan, VariablePlan } from '../gate/value-plan.ts'
import type { Variable } from '../variables/state.ts'
import type { CompiledRule } from './compiled.ts'
import { type Phase, phases } from './draft.ts'
import { addRule, newRuleBits, type RuleBits } from './rule-bits.ts'

/** Where values come from: a request, or a response besides. */
export type Side = 'request' | 'response'

/** What of a program a masked one needs. */
export interface Maskable {
  readonly ordered: readonly CompiledRule[]
  readonly gated: readonly GatedRule[]
  gate(side: Side): Gate
  /** Undefined when nothing is remembered. */
  readonly memoAllowance: MemoAllowance | undefined
}

/** What a mask leaves of a program. Shared by all masks that leave the same. */
export class MaskedProgram {
  readonly ruleCount: number
  readonly enabled: RuleBits
  /** By phase: rules to run whatever the gate says. */
  readonly visit: readonly RuleBits[]
  /** By phase: all rules. */
  readonly members: readonly RuleBits[]
  readonly wantsRequestBody: boolean
  readonly wantsResponseBody: boolean
  readonly #program: Maskable
  readonly #rules: readonly CompiledRule[]
  /** By stage. */
  readonly #plans: (readonly VariablePlan[] | undefined)[] = []

  /** @param rules those that the mask leaves on */
  constructor(program: Maskable, rules: readonly CompiledRule[]) {
    this.#program = program
    const size = program.ordered.length
    this.ruleCount = size
    this.#rules = rules
    this.enabled = bitsOf(size, rules)
    this.members = [0, ...phases].map(phase => bitsOf(size, this.#inPhase(phase)))
    this.visit = [0, ...phases].map(phase =>
      bitsOf(
        size,
        this.#inPhase(phase).filter(rule => !rule.gated),
      ),
    )
    this.wantsRequestBody = this.#wants('request', 'request-body', 2)
    this.wantsResponseBody = this.#wants('response', 'response-body', 4)
  }

  /** Values that are complete from that phase on, and what to ask of them. */
  plans(stage: Phase): readonly VariablePlan[] {
    let plans = this.#plans[stage]
    if (plans === undefined) plans = this.#plans[stage] = this.#makePlans(stage)
    return plans
  }

  #inPhase(phase: number): CompiledRule[] {
    return this.#rules.filter(rule => rule.info.phase === phase)
  }

  #makePlans(stage: Phase): VariablePlan[] {
    const on = new Set(this.#rules.map(rule => rule.info.index))
    const byVariable = new Map<Variable, GatedRule[]>()
    for (const rule of this.#program.gated) {
      if (!on.has(rule.index)) continue
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

  /**
   * Rules that detect something decide; the machinery around them reads bodies for their sake only. In a program without
   * detection rules on that side every rule decides.
   */
  #wants(role: Side, needs: Variable['needs'], fromPhase: Phase): boolean {
    const detects = this.#program.ordered.some(rule => rule.info.role === role)
    return this.#rules.some(
      rule => rule.info.phase >= fromPhase && (!detects || rule.info.role === role) && reads(rule, needs),
    )
  }
}

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

function bitsOf(size: number, rules: readonly CompiledRule[]): RuleBits {
  const bits = newRuleBits(size)
  for (const rule of rules) addRule(bits, rule.info.index)
  return bits
}

function reads(rule: CompiledRule, needs: Variable['needs']): boolean {
  return rule.links.some(link => link.targets.some(target => target.variable.needs === needs))
}
