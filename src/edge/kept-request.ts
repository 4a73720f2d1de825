import type { Interruption, Transaction, WafRequest } from '../waf/types.ts'
import type { BodySource } from './body-source.ts'
import type { EdgeCore } from './core.ts'
import type { Exchange } from './exchange.ts'
import { inSlices, type Slices } from './slices.ts'
import { wafRequest } from './waf-request.ts'

/** A request as the managed rules got it, to be evaluated once more when it has ended. */
export interface KeptRequest {
  readonly request: WafRequest
  /** The beginning of the body, by reference: what it had, and what came later. */
  readonly parts: readonly Uint8Array[]
  readonly bodyBytesMax: number
  /** What `core.background` counts for it. */
  readonly reservedBytes: number
}

/**
 * Keeps the request once, whoever wants it: the zone's shadow, a sample. To be called where the managed rules run;
 * `forgetRequest` ends it.
 * @returns undefined when too much is kept already
 */
export function keepRequest({ background, limits }: EdgeCore, exchange: Exchange): KeptRequest | undefined {
  if (exchange.kept !== undefined) return exchange.kept
  const bodyBytesMax = limits.inspectedBodyBytesMax
  const reservedBytes = bytesOf(exchange.body, bodyBytesMax)
  if (background.kept >= limits.shadowsMax || background.keptBytes + reservedBytes > limits.shadowBytesMax)
    return undefined
  background.kept++
  background.keptBytes += reservedBytes
  const parts = exchange.body?.retain(bodyBytesMax) ?? []
  exchange.kept = { request: wafRequest(exchange), parts, bodyBytesMax, reservedBytes }
  return exchange.kept
}

function bytesOf(body: BodySource | undefined, bytesMax: number): number {
  if (body === undefined || !body.mayHaveBody) return 0
  return Math.min(body.announcedBytes ?? bytesMax, bytesMax)
}

export function forgetRequest({ background }: EdgeCore, exchange: Exchange): void {
  if (exchange.kept === undefined) return
  background.kept--
  background.keptBytes -= exchange.kept.reservedBytes
  exchange.body?.release()
  exchange.kept = undefined
}

/** Runs work after the work of those that wait already. Rejects with what it throws. */
export function inTurn<Result>({ background }: EdgeCore, work: () => Slices<Result>): Promise<Result> {
  const evaluating = background.lastEvaluation.then(() => inSlices(work()))
  background.lastEvaluation = evaluating.catch(() => {})
  return evaluating
}

/** Gives a kept request to the rules. @returns what a rule asked for that stops it */
export function* evaluateKept(
  kept: KeptRequest,
  body: BodySource | undefined,
  transaction: Transaction,
): Slices<Interruption | undefined> {
  const asked = yield* transaction.requestHeaders()
  if (asked !== undefined) return asked
  const complete = transaction.wantsRequestBody ? giveBody(kept, body, transaction) : true
  return yield* transaction.requestBody(complete)
}

/** @returns was it all of the body? */
function giveBody(
  { parts, bodyBytesMax }: KeptRequest,
  body: BodySource | undefined,
  transaction: Transaction,
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
