import { workDone } from '../../expressions/index.ts'
import { nextTurn } from '../../kit/turns.ts'
import type { ManagedExecution, PlanPhase, PlanRule, PlanRuleset } from '../../rulesets/plan.ts'
import { notEvaluated } from '../incomplete.ts'
import { checkRateLimit } from '../rate-limit.ts'
import type { Verdict } from '../verdict.ts'
import type { InspectionContext } from './context.ts'
import { applyRedirect, applySettings, applySkip, takeAction } from './effects.ts'
import { Rewrites } from './rewrites.ts'
import type { Excepted, Level } from './skips.ts'

/** How a phase runs a managed ruleset. */
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
  /** Of `workDone`: others have their turn before the next rule. */
  turnEndsAt: number
}

/** How it goes on after a rule: a verdict ends the request, undefined goes on with the next rule. */
type Flow = Verdict | 'leave-ruleset' | 'leave-phase'

/**
 * Runs one phase: the account's entry point, then the zone's, rules in list order. The first terminating action ends
 * it; what rules rewrite holds from its end on.
 */
export async function runPhase(
  context: InspectionContext,
  phase: PlanPhase,
  runManaged: RunManaged,
): Promise<Verdict> {
  const { core, exchange } = context
  const run = {
    context,
    phase,
    runManaged,
    rewrites: new Rewrites(core.limits.rewrittenBytesMax),
    turnEndsAt: turnEnd(),
  }
  for (const ruleset of phase.rulesets) {
    const level = ruleset.kind === 'root' ? 'account' : 'zone'
    if (exchange.skips.skipsPhase(level, phase.phase)) continue
    const flow = await runRules(run, level, ruleset)
    if (typeof flow === 'object') return flow
  }
  run.rewrites.apply(exchange)
  return undefined
}

/** @returns `leave-phase` when the rest of the phase is left out at this level */
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
      const { core, exchange } = run.context
      flow = notEvaluated(core, exchange, rule, error)
    }
    if (flow === 'leave-ruleset') return undefined
    if (flow !== undefined) return flow
  }
  return undefined
}

/** Patterns have cost some milliseconds by then. */
const workOfTurn = 500_000

function turnEnd(): number {
  return workDone() + workOfTurn
}

async function giveTurn(run: PhaseRun): Promise<void> {
  await nextTurn()
  run.turnEndsAt = turnEnd()
}

function appliesTo({ context: { core, exchange } }: PhaseRun, rule: PlanRule): boolean | Promise<boolean> {
  const { effect } = rule
  if (effect.kind === 'action' && effect.limit !== undefined)
    return checkRateLimit(core, exchange, rule, effect.limit)
  return rule.matches(exchange.state)
}

function follow(run: PhaseRun, level: Level, rule: PlanRule): Flow | Promise<Flow> {
  const { context, phase, rewrites } = run
  const { exchange } = context
  const { effect } = rule
  switch (effect.kind) {
    case 'action':
      return takeAction(context, phase.phase, rule, effect)
    case 'skip':
      return applySkip(exchange, phase.phase, level, rule, effect)
    case 'redirect':
      return applyRedirect(context, effect)
    case 'rewrite-uri':
      return void rewrites.uri(effect, exchange)
    case 'rewrite-headers':
      return void rewrites.headers(effect, exchange)
    case 'normalize-uri':
      return void rewrites.normalize()
    case 'route':
    case 'configure':
      return void applySettings(exchange, rule, effect)
    case 'execute-custom':
      if (exchange.skips.skipsRuleset(level, effect.ruleset.id)) return undefined
      return runRules(run, level, effect.ruleset)
    case 'execute':
      if (exchange.skips.skipsRuleset(level, effect.rulesetId)) return undefined
      return run.runManaged(context, rule, effect, exchange.skips.exceptedFrom(level, effect))
  }
}
