import type { Interruption, Transaction } from '../../waf/types.ts'
import type { RequestParts } from '../exchange/exchange.ts'
import type { RequestFacts } from '../exchange/facts.ts'
import { inBackground, type Slices } from '../exchange/slices.ts'
import { wafRequest } from '../exchange/waf-request.ts'
import { DecodedBody } from '../message/content-coding.ts'
import { attachedTo, type BackgroundState, type KeptRequest } from './state.ts'

/**
 * Keeps the request, once for all background work. Must be called where the managed rules run; `forgetRequest` ends it.
 * @returns undefined when too much is kept already
 */
export function keepRequest(state: BackgroundState, request: RequestParts): KeptRequest | undefined {
  const { facts } = request
  const known = state.attached.get(facts)?.kept
  if (known !== undefined) return known
  const { limits } = state
  const bodyBytesMax = limits.inspectedBodyBytesMax
  const reservedBytes = bytesOf(facts, bodyBytesMax)
  if (state.kept >= limits.shadowsMax || state.keptBytes + reservedBytes > limits.shadowBytesMax)
    return undefined
  state.kept++
  state.keptBytes += reservedBytes
  const parts = facts.isGrpc ? [] : (facts.body?.retain(bodyBytesMax) ?? [])
  const kept = { request: wafRequest(request), parts, bodyBytesMax, reservedBytes }
  attachedTo(state, facts).kept = kept
  return kept
}

function bytesOf({ body, content }: RequestFacts, bytesMax: number): number {
  if (body === undefined || content === undefined || !body.mayHaveBody) return 0
  if (content instanceof DecodedBody) return bytesMax
  return Math.min(body.announcedBytes ?? bytesMax, bytesMax)
}

export function forgetRequest(state: BackgroundState, facts: RequestFacts): void {
  const attached = state.attached.get(facts)
  if (attached?.kept === undefined) return
  state.kept--
  state.keptBytes -= attached.kept.reservedBytes
  facts.body?.release()
  attached.kept = undefined
}

/** Runs work after all work that already waits. Rejects with the error of the work. */
export function inTurn<Result>(
  state: BackgroundState,
  { zoneId, client }: RequestFacts,
  work: () => Slices<Result>,
): Promise<Result> {
  const evaluating = state.lastEvaluation.then(() => inBackground(work(), { zoneId, client }))
  state.lastEvaluation = evaluating.catch(() => {})
  return evaluating
}

/** Passes a kept request to the rules. @returns the interruption of a rule that stops it */
export function* evaluateKept(
  kept: KeptRequest,
  facts: RequestFacts,
  transaction: Transaction,
): Slices<Interruption | undefined> {
  const asked = yield* transaction.requestHeaders()
  if (asked !== undefined) return asked
  const complete = transaction.wantsRequestBody ? yield* giveBody(kept, facts, transaction) : true
  return yield* transaction.requestBody(complete)
}

/** @returns whether this was the complete body */
function* giveBody(
  { parts: sent, bodyBytesMax }: KeptRequest,
  { body, content }: RequestFacts,
  transaction: Transaction,
): Slices<boolean> {
  if (body === undefined || content === undefined) return true
  const bytesMax = Math.min(bodyBytesMax, transaction.requestBodyBytesMax)
  const decoded = content instanceof DecodedBody ? content.decoded : undefined
  const parts = decoded?.parts ?? sent
  let left = bytesMax
  let sincePause = 0
  for (const part of parts) {
    if (left <= 0) break
    transaction.addRequestBody(part.length <= left ? part : part.subarray(0, left))
    left -= part.length
    sincePause += part.length
    if (sincePause < pausesAfterBytes) continue
    sincePause = 0
    yield
  }
  if (decoded !== undefined) return decoded.whole && left >= 0
  return body.complete && body.bytesReceived <= bytesMax
}

/** Bytes of a body that are passed without a pause. */
const pausesAfterBytes = 64 * 1024
