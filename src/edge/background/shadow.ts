import type { ManagedExecution } from '../../rulesets/plan/plan.ts'
import type { ShadowFinding, ShadowOutcome } from '../exchange/background-port.ts'
import { type Decisions, type Inspection, scoreOf } from '../exchange/decisions.ts'
import type { RequestParts } from '../exchange/exchange.ts'
import type { Excepted } from '../exchange/skips.ts'
import type { Slices } from '../exchange/slices.ts'
import { evaluateKept, inTurn, keepRequest } from './kept-request.ts'
import { attachedTo, type BackgroundState, type ShadowRun } from './state.ts'

/**
 * Decides at random whether the zone's shadow will evaluate this request, and then keeps the request. Called where the
 * managed rules run. Never throws.
 */
export function beginShadow(state: BackgroundState, request: RequestParts): void {
  const shadow = request.facts.plan?.shadow
  if (shadow === undefined || Math.random() >= shadow.sampleRate) return
  const kept = keepRequest(state, request)
  if (kept === undefined) state.counters.shadows.leftOut++
  else attachedTo(state, request.facts).shadow = { shadow, kept }
}

/**
 * Evaluates the shadow after the request's end, in slices and after all waiting evaluations, before the events are
 * recorded. Never throws: failures are counted and logged, and have no other effect.
 */
export async function finishShadow(
  state: BackgroundState,
  request: RequestParts,
  run: ShadowRun,
): Promise<ShadowFinding | undefined> {
  const { counters, deps } = state
  try {
    const outcome = await inTurn(state, request.facts, () => evaluate(state, run, request))
    if (outcome === undefined) return undefined
    counters.shadows.runs++
    if (outcome.differs) counters.shadows.differences++
    return { execution: run.shadow.execution, outcome }
  } catch (error) {
    counters.shadows.failures++
    deps.logger.error({ err: error, rayId: request.facts.rayId }, 'the shadow could not evaluate a request')
    return undefined
  }
}

/** @returns undefined when the zone's own rules skip the managed ruleset, or when the edge is closing */
function* evaluate(
  state: BackgroundState,
  { shadow, kept }: ShadowRun,
  { facts, decisions }: RequestParts,
): Slices<ShadowOutcome | undefined> {
  if (state.stopped) {
    state.counters.shadows.leftOut++
    return undefined
  }
  const { skips } = decisions
  const { execution, paranoiaLevel } = shadow
  if (
    skips.skipsPhase('zone', 'http_request_firewall_managed') ||
    skips.skipsRuleset('zone', execution.rulesetId)
  )
    return undefined
  const excepted = skips.exceptedFrom('zone', execution)
  const { program, mask, threshold } = execution
  const transaction = program.rehearse(kept.request, mask, excepted.exceptions)
  const asked = yield* evaluateKept(kept, facts, transaction)
  const score = transaction.requestScore
  const would = wouldDo(execution, excepted, asked !== undefined, score)
  return {
    version: execution.rulesetVersion,
    paranoia_level: paranoiaLevel,
    threshold,
    score,
    would,
    differs: (would !== 'none') !== decisions.inspections.some(own => acted(own, decisions)),
    ...(transaction.overBudget && { incomplete: true as const }),
  }
}

function wouldDo(execution: ManagedExecution, excepted: Excepted, asked: boolean, score: number): string {
  if (!execution.acts || excepted.lastRule) return 'none'
  if (asked) return execution.action === 'log' ? 'log' : 'block'
  return score >= execution.threshold ? execution.action : 'none'
}

/** @returns whether a run of the zone acted, or would have acted had the request not been refused before */
function acted(own: Inspection, { entries }: Decisions): boolean {
  if (own.side !== 'request' || !own.acts || own.broken) return false
  return scoreOf(own) >= own.execution.threshold || entries.some(entry => entry.inspection === own)
}
