import type { RuleEvaluation, TracedPhase, TracedRule, TracedRuleset } from '../../model/request-trace.ts'
import type { PlanPhase, PlanRule, PlanRuleset, ZonePlan } from '../../rulesets/plan.ts'
import type { Exchange } from '../exchange.ts'
import type { Inspection } from '../ledger.ts'
import type { Level } from '../phases/skips.ts'
import type { Explained } from './explained-matches.ts'
import { tracedInspection } from './traced-inspection.ts'
import type { Asked } from './traced-plan.ts'

/** What every phase of a plan did to a request, in order. */
export function tracedPhases(
  plan: ZonePlan,
  asked: ReadonlyMap<PlanRule, Asked>,
  exchange: Exchange,
  explained: ReadonlyMap<Inspection, Explained>,
): readonly TracedPhase[] {
  const phases = [...plan.request]
  if (plan.response !== undefined) phases.push(plan.response)
  if (plan.responseHeaders !== undefined) phases.push(plan.responseHeaders)
  const teller = new PhaseTeller(asked, exchange, explained)
  return phases.map(phase => teller.phase(phase))
}

/** A skip rule that matched, and the level at which it holds. */
interface MatchedSkip {
  readonly level: Level
  readonly rule: PlanRule
}

/** Goes the way of the request once more, and tells of each rule what became of it. */
class PhaseTeller {
  readonly #asked: ReadonlyMap<PlanRule, Asked>
  readonly #exchange: Exchange
  readonly #explained: ReadonlyMap<Inspection, Explained>
  readonly #skips: MatchedSkip[] = []

  constructor(
    asked: ReadonlyMap<PlanRule, Asked>,
    exchange: Exchange,
    explained: ReadonlyMap<Inspection, Explained>,
  ) {
    this.#asked = asked
    this.#exchange = exchange
    this.#explained = explained
  }

  phase(phase: PlanPhase): TracedPhase {
    const rulesets = phase.rulesets.map(ruleset => {
      const level = ruleset.kind === 'root' ? 'account' : 'zone'
      return this.#ruleset(phase, ruleset, level)
    })
    const reached = rulesets.some(({ rules }) => rules.some(isReached))
    return { phase: phase.phase, reached, rulesets }
  }

  #ruleset(phase: PlanPhase, ruleset: PlanRuleset, level: Level): TracedRuleset {
    const { id, version, kind } = ruleset
    let left: PlanRule | undefined = this.#skipOfPhase(phase, level)
    const rules = ruleset.rules.map(rule => {
      const traced = this.#rule(phase, rule, level, left)
      left ??= this.#leaves(rule, level)
      return traced
    })
    return { id, version, kind, level, rules }
  }

  #skipOfPhase({ phase }: PlanPhase, level: Level): PlanRule | undefined {
    return this.#skips.find(
      ({ level: held, rule: { effect } }) =>
        held === level && effect.kind === 'skip' && effect.phases.has(phase),
    )?.rule
  }

  /** The rule itself when it ends its ruleset by skipping the rest. */
  #leaves(rule: PlanRule, level: Level): PlanRule | undefined {
    if (rule.effect.kind !== 'skip' || this.#asked.get(rule) !== 'matched') return undefined
    this.#skips.push({ level, rule })
    return rule.effect.current === undefined ? undefined : rule
  }

  #rule(phase: PlanPhase, rule: PlanRule, level: Level, left: PlanRule | undefined): TracedRule {
    const { id, ref, description, effect } = rule
    const { ledger } = this.#exchange
    const asked = this.#asked.get(rule)
    const executed =
      effect.kind === 'execute' ? effect.rulesetId : effect.kind === 'execute-custom' ? effect.ruleset.id : ''
    const skip =
      left ?? (asked === 'matched' && executed !== '' ? this.#skipOfRuleset(executed, level) : undefined)
    const evaluation: RuleEvaluation = asked ?? (left === undefined ? 'not_reached' : 'skipped')
    const did = ledger.entries.find(entry => entry.rule === rule)?.action
    const inspection = ledger.inspections.find(one => one.rule === rule)
    return {
      id,
      ref,
      description,
      evaluation,
      ...(skip !== undefined && { skippedBy: skip.id }),
      ...(did !== undefined && { did }),
      ...(inspection !== undefined && {
        managed: tracedInspection(inspection, ledger, this.#explained.get(inspection)),
      }),
      ...(effect.kind === 'execute-custom' && {
        executes: this.#ruleset(phase, effect.ruleset, level),
      }),
    }
  }

  #skipOfRuleset(id: string, level: Level): PlanRule | undefined {
    return this.#skips.find(
      ({ level: held, rule: { effect } }) =>
        held === level && effect.kind === 'skip' && effect.rulesets.has(id),
    )?.rule
  }
}

function isReached({ evaluation }: TracedRule): boolean {
  return evaluation !== 'not_reached'
}
