import type { ManagedExecution, ShadowExecution } from '../rulesets/plan.ts'
import type { WafRequest } from '../waf/types.ts'
import type { BodySource } from './body-source.ts'
import type { EdgeCore } from './core.ts'
import type { Exchange } from './exchange.ts'
import { wafRequest } from './inspect-request.ts'
import { type Inspection, type Ledger, scoreOf } from './ledger.ts'
import type { Excepted } from './phases/skips.ts'
import { inSlices, type Slices } from './slices.ts'

/** The zone's shadow on one request: what it will look at, and then what it found. */
export interface ShadowRun {
  readonly shadow: ShadowExecution
  readonly request: WafRequest
  /** The beginning of the body, by reference: what it had, and what came later. */
  readonly parts: readonly Uint8Array[]
  readonly bodyBytesMax: number
  /** What `core.background` counts for it. */
  readonly reservedBytes: number
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
  const { background, counters, limits } = core
  const bodyBytesMax = limits.inspectedBodyBytesMax
  const reservedBytes = bytesOf(exchange.body, bodyBytesMax)
  if (
    background.shadows >= limits.shadowsMax ||
    background.shadowBytes + reservedBytes > limits.shadowBytesMax
  ) {
    counters.shadows.leftOut++
    return
  }
  background.shadows++
  background.shadowBytes += reservedBytes
  const parts = exchange.body?.retain(bodyBytesMax) ?? []
  const request = wafRequest(exchange)
  exchange.shadow = { shadow, request, parts, bodyBytesMax, reservedBytes, outcome: undefined }
}

function bytesOf(body: BodySource | undefined, bytesMax: number): number {
  if (body === undefined || !body.mayHaveBody) return 0
  return Math.min(body.announcedBytes ?? bytesMax, bytesMax)
}

/**
 * The request has ended: the shadow evaluates it, in slices, after those that wait already. Called once for each request whose zone has a shadow,
 * before its records are written. Never throws: what fails is counted and told, and nothing else comes of it.
 */
export async function finishShadow(core: EdgeCore, exchange: Exchange): Promise<void> {
  const run = exchange.shadow
  if (run === undefined) return
  const { background, counters, deps } = core
  try {
    const evaluating = background.lastShadow.then(() => inSlices(evaluate(core, run, exchange)))
    background.lastShadow = evaluating.catch(() => {})
    run.outcome = await evaluating
    if (run.outcome !== undefined) counters.shadows.runs++
    if (run.outcome?.differs) counters.shadows.differences++
  } catch (error) {
    counters.shadows.failures++
    deps.logger.error({ err: error, rayId: exchange.rayId }, 'the shadow could not evaluate a request')
  }
  background.shadows--
  background.shadowBytes -= run.reservedBytes
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
  const transaction = program.begin(run.request, mask, excepted.exceptions)
  let asked = yield* transaction.requestHeaders()
  if (asked === undefined) {
    const complete = transaction.wantsRequestBody ? give(run, body, transaction) : true
    asked = yield* transaction.requestBody(complete)
  }
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

/** @returns was it all of the body? */
function give(
  { parts, bodyBytesMax }: ShadowRun,
  body: BodySource | undefined,
  transaction: { readonly requestBodyBytesMax: number; addRequestBody(part: Uint8Array): void },
): boolean {
  if (body === undefined) return true
  const bytesMax = Math.min(bodyBytesMax, transaction.requestBodyBytesMax)
  let left = bytesMax
  for (const part of parts) {
    if (left <= 0) break
    transaction.addRequestBody(part.length <= left ? part : part.subarray(0, left))
    left -= part.length
  }
  return body.complete && body.bytesReceived <= bytesMax
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
