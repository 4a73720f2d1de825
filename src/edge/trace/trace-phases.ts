import type { RuleEvaluation, TracedPhase, TracedRule, TracedRuleset } from '../../model/request-trace.ts'
import type { PlanPhase, PlanRule, PlanRuleset, ZonePlan } from '../../rulesets/plan/plan.ts'
import type { Decisions, Inspection } from '../exchange/decisions.ts'
import type { Level } from '../exchange/skips.ts'
import type { Explained } from './explained-matches.ts'
import { tracedInspection } from './traced-inspection.ts'
import type { Asked } from './traced-plan.ts'

/** The results of all phases of a plan, in order. */
export function tracedPhases(
  plan: ZonePlan,
  asked: ReadonlyMap<PlanRule, Asked>,
  decisions: Decisions,
  explained: ReadonlyMap<Inspection, Explained>,
): readonly TracedPhase[] {
  const phases = [...plan.request]
  if (plan.response !== undefined) phases.push(plan.response)
  if (plan.customErrors !== undefined) phases.push(plan.customErrors)
  if (plan.responseHeaders !== undefined) phases.push(plan.responseHeaders)
  if (plan.compression !== undefined) phases.push(plan.compression)
  const report = new PhaseReport(asked, decisions, explained)
  return phases.map(phase => report.phase(phase))
}

/** A skip rule that matched, and its level. */
interface MatchedSkip {
  readonly level: Level
  readonly rule: PlanRule
}

/** Repeats the path of the request and reports the result of each rule. */
class PhaseReport {
  readonly #asked: ReadonlyMap<PlanRule, Asked>
  readonly #decisions: Decisions
  readonly #explained: ReadonlyMap<Inspection, Explained>
  readonly #skips: MatchedSkip[] = []

  constructor(
    asked: ReadonlyMap<PlanRule, Asked>,
    decisions: Decisions,
    explained: ReadonlyMap<Inspection, Explained>,
  ) {
    this.#asked = asked
    this.#decisions = decisions
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

  /** @returns the rule if it skips the rest of its ruleset */
  #leaves(rule: PlanRule, level: Level): PlanRule | undefined {
    if (rule.effect.kind !== 'skip' || this.#asked.get(rule) !== 'matched') return undefined
    this.#skips.push({ level, rule })
    return rule.effect.current === undefined ? undefined : rule
  }

  #rule(phase: PlanPhase, rule: PlanRule, level: Level, left: PlanRule | undefined): TracedRule {
    const { id, ref, description, effect } = rule
    const asked = this.#asked.get(rule)
    const executed =
      effect.kind === 'execute' ? effect.rulesetId : effect.kind === 'execute-custom' ? effect.ruleset.id : ''
    const skip =
      left ?? (asked === 'matched' && executed !== '' ? this.#skipOfRuleset(executed, level) : undefined)
    const allowed = asked === undefined ? this.#decisions.skips.allowedBy(phase.phase) : undefined
    const skippedBy = skip?.id ?? allowed
    const isSkipped = left !== undefined || allowed !== undefined
    const evaluation: RuleEvaluation = asked ?? (isSkipped ? 'skipped' : 'not_reached')
    const did = this.#decisions.entries.find(entry => entry.rule === rule)?.action
    const inspection = this.#decisions.inspections.find(one => one.rule === rule)
    return {
      id,
      ref,
      description,
      evaluation,
      ...(skippedBy !== undefined && { skippedBy }),
      ...(did !== undefined && { did }),
      ...(inspection !== undefined && {
        managed: tracedInspection(inspection, this.#decisions, this.#explained.get(inspection)),
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
