import { workDone } from '../../expressions/index.ts'
import { nextTurn } from '../../kit/turns.ts'
import type { ManagedExecution, PlanPhase, PlanRule, PlanRuleset } from '../../rulesets/plan/plan.ts'
import type { Excepted, Level } from '../exchange/skips.ts'
import type { Verdict } from '../exchange/verdict.ts'
import type { InspectionContext } from './context.ts'
import { applyListedRedirect, applyRedirect, applySettings, applySkip, takeAction } from './effects.ts'
import { notEvaluated } from './not-evaluated.ts'
import { checkRateLimit } from './rate-limit.ts'
import { Rewrites } from './rewrites.ts'

/** Runs a managed ruleset in a phase. */
export type RunManaged = (
  context: InspectionContext,
  rule: PlanRule,
  execution: ManagedExecution,
  excepted: Excepted,
) => Promise<Verdict>

interface PhaseRun {
  readonly context: InspectionContext
  readonly phase: PlanPhase
  readonly runManaged: RunManaged
  readonly rewrites: Rewrites
  /** The value of `workDone` at which other requests have their turn before the next rule. */
  turnEndsAt: number
}

/** The step after a rule: a verdict ends the request, and undefined continues with the next rule. */
type Flow = Verdict | 'leave-ruleset' | 'leave-phase'

/**
 * Runs one phase: the account's entry point ruleset, then the zone's, with rules in list order. The first terminating
 * action ends the phase. Rewrites are applied at its end.
 */
export async function runPhase(
  context: InspectionContext,
  phase: PlanPhase,
  runManaged: RunManaged,
): Promise<Verdict> {
  const { skips } = context.decisions
  const run = {
    context,
    phase,
    runManaged,
    rewrites: new Rewrites(context.core.limits.rewrittenBytesMax),
    turnEndsAt: turnEnd(),
  }
  for (const ruleset of phase.rulesets) {
    const level = ruleset.kind === 'root' ? 'account' : 'zone'
    if (skips.skipsPhase(level, phase.phase)) continue
    const flow = await runRules(run, level, ruleset)
    if (typeof flow === 'object') return flow
  }
  run.rewrites.apply(context.state)
  return undefined
}

/** @returns `leave-phase` when the rest of the phase is skipped at this level */
async function runRules(run: PhaseRun, level: Level, ruleset: PlanRuleset): Promise<Verdict | 'leave-phase'> {
  for (const rule of ruleset.rules) {
    if (workDone() > run.turnEndsAt) await giveTurn(run)
    let flow: Flow
    try {
      const applies = appliesTo(run, rule)
      if (!(applies instanceof Promise ? await applies : applies)) continue
      const going = follow(run, level, rule)
      flow = going instanceof Promise ? await going : going
    } catch (error) {
      flow = notEvaluated(run.context, rule, error)
    }
    if (flow === 'leave-ruleset') return undefined
    if (flow !== undefined) return flow
  }
  return undefined
}

/** About the work of patterns that run for some milliseconds. */
const workOfTurn = 500_000

function turnEnd(): number {
  return workDone() + workOfTurn
}

async function giveTurn(run: PhaseRun): Promise<void> {
  const { zoneId, client } = run.context.facts
  await nextTurn(zoneId, client)
  run.turnEndsAt = turnEnd()
}

function appliesTo({ context }: PhaseRun, rule: PlanRule): boolean | Promise<boolean> {
  const { effect } = rule
  if (effect.kind === 'action' && effect.limit !== undefined)
    return checkRateLimit(context.core, context, rule, effect.limit)
  return rule.matches(context.state)
}

function follow(run: PhaseRun, level: Level, rule: PlanRule): Flow | Promise<Flow> {
  const { context, phase, rewrites } = run
  const { state, decisions } = context
  const { effect } = rule
  switch (effect.kind) {
    case 'action':
      return takeAction(context, phase.phase, rule, effect)
    case 'skip':
      return applySkip(decisions, phase.phase, level, rule, effect)
    case 'redirect':
      return applyRedirect(context.core, state, effect)
    case 'redirect-from-list':
      return applyListedRedirect(context.core, state, effect)
    case 'rewrite-uri':
      return void rewrites.uri(effect, state)
    case 'rewrite-headers':
      return void rewrites.headers(effect, state)
    case 'normalize-uri':
      return void rewrites.normalize()
    case 'route':
    case 'configure':
      return void applySettings(decisions.settings, rule, effect)
    case 'serve-error':
      // Its phase follows the answer of the origin.
      return undefined
    case 'execute-custom':
      if (decisions.skips.skipsRuleset(level, effect.ruleset.id)) return undefined
      return runRules(run, level, effect.ruleset)
    case 'execute':
      if (decisions.skips.skipsRuleset(level, effect.rulesetId)) return undefined
      return run.runManaged(context, rule, effect, decisions.skips.exceptedFrom(level, effect))
  }
}
