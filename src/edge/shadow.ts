import type { ManagedExecution, ShadowExecution } from '../rulesets/plan.ts'
import type { EdgeCore } from './core.ts'
import type { Exchange } from './exchange.ts'
import { evaluateKept, inTurn, type KeptRequest, keepRequest } from './kept-request.ts'
import { type Inspection, type Ledger, scoreOf } from './ledger.ts'
import type { Excepted } from './phases/skips.ts'
import type { Slices } from './slices.ts'

/** The zone's shadow on one request: what it will look at, and then what it found. */
export interface ShadowRun {
  readonly shadow: ShadowExecution
  readonly kept: KeptRequest
  outcome: ShadowOutcome | undefined
}

/** As records show it. */
export interface ShadowOutcome {
  /** Of the managed ruleset. */
  readonly version: string
  readonly paranoia_level: number
  readonly threshold: number
  readonly score: number
  /** The action that it would have taken, or `none`. */
  readonly would: string
  /** It would have acted where the zone's own rules did not, or the other way round. */
  readonly differs: boolean
  /** Its work budget was used up: rules after that were not evaluated. */
  readonly incomplete?: true
}

/**
 * Draws whether the zone's shadow looks at this request, and keeps what it will need. Called where the managed rules
 * run; costs the request nothing but that, and never throws.
 */
export function beginShadow(core: EdgeCore, exchange: Exchange): void {
  const shadow = exchange.plan?.shadow
  if (shadow === undefined || Math.random() >= shadow.sampleRate) return
  const kept = keepRequest(core, exchange)
  if (kept === undefined) core.counters.shadows.leftOut++
  else exchange.shadow = { shadow, kept, outcome: undefined }
}

/**
 * The request has ended: the shadow evaluates it, in slices, after those that wait already. Called once for each request whose zone has a shadow,
 * before its records are written. Never throws: what fails is counted and told, and nothing else comes of it.
 */
export async function finishShadow(core: EdgeCore, exchange: Exchange): Promise<void> {
  const run = exchange.shadow
  if (run === undefined) return
  const { counters, deps } = core
  try {
    run.outcome = await inTurn(core, () => evaluate(core, run, exchange))
    if (run.outcome !== undefined) counters.shadows.runs++
    if (run.outcome?.differs) counters.shadows.differences++
  } catch (error) {
    counters.shadows.failures++
    deps.logger.error({ err: error, rayId: exchange.rayId }, 'the shadow could not evaluate a request')
  }
}

/** Nothing when the zone's own rules let the request skip the managed ruleset, or when its record cannot wait. */
function* evaluate(
  core: EdgeCore,
  run: ShadowRun,
  { skips, ledger, body }: Exchange,
): Slices<ShadowOutcome | undefined> {
  if (core.draining) {
    core.counters.shadows.leftOut++
    return undefined
  }
  const { execution, paranoiaLevel } = run.shadow
  if (
    skips.skipsPhase('zone', 'http_request_firewall_managed') ||
    skips.skipsRuleset('zone', execution.rulesetId)
  )
    return undefined
  const excepted = skips.exceptedFrom('zone', execution)
  const { program, mask, threshold } = execution
  const transaction = program.rehearse(run.kept.request, mask, excepted.exceptions)
  const asked = yield* evaluateKept(run.kept, body, transaction)
  const score = transaction.requestScore
  const would = wouldDo(execution, excepted, asked !== undefined, score)
  return {
    version: execution.rulesetVersion,
    paranoia_level: paranoiaLevel,
    threshold,
    score,
    would,
    differs: (would !== 'none') !== ledger.inspections.some(own => acted(own, ledger)),
    ...(transaction.overBudget && { incomplete: true as const }),
  }
}

function wouldDo(execution: ManagedExecution, excepted: Excepted, asked: boolean, score: number): string {
  if (!execution.acts || excepted.lastRule) return 'none'
  if (asked) return execution.action === 'log' ? 'log' : 'block'
  return score >= execution.threshold ? execution.action : 'none'
}

/** Did a run of the zone's own act, or would it have, had the request not been refused anyway? */
function acted(own: Inspection, { entries }: Ledger): boolean {
  if (own.side !== 'request' || !own.acts || own.broken) return false
  return scoreOf(own) >= own.execution.threshold || entries.some(entry => entry.inspection === own)
}
