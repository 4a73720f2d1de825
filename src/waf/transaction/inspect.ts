import { assert } from '../../kit/assert.ts'
import { nextTurn } from '../../kit/turns.ts'
import type {
  InspectedBody,
  InspectedRequest,
  Inspection,
  Program,
  RuleMask,
  Transaction,
  WafRequest,
} from '../types.ts'

/** Bytes of a body that are read in one turn of the event loop: some tenths of a millisecond. */
const sliceBytes = 16 * 1024

/** `Program.inspect`: phases 1, 2 and 5 of one request, in turns with other work of the process. */
export async function inspect(
  program: Program,
  request: InspectedRequest,
  mask: RuleMask,
): Promise<Inspection> {
  const transaction = program.begin(wafRequest(request), mask)
  let body: BodyRead = { bytes: 0, complete: true }
  let interruption = await inTurns(transaction.requestHeaders())
  if (interruption === undefined) {
    if (request.body !== undefined && transaction.wantsRequestBody) {
      body = await giveBody(transaction, request.body)
    }
    interruption = await inTurns(transaction.requestBody(body.complete))
  }
  await inTurns(transaction.logging())
  const { matches, requestScore, overBudget, requestBodyCut } = transaction
  return {
    interruption,
    matches,
    requestScore,
    overBudget,
    bodyBytes: body.bytes,
    bodyComplete: body.complete && !requestBodyCut,
    workOutData: () => inTurns(transaction.workOutData()),
  }
}

let inspections = 0

function wafRequest(request: InspectedRequest): WafRequest {
  const { startedMs = Date.now() } = request
  inspections++
  return {
    clientIp: request.clientIp,
    clientPort: request.clientPort ?? 0,
    serverPort: request.serverPort ?? 80,
    method: request.method,
    target: request.target,
    protocol: request.protocol ?? 'HTTP/1.1',
    headers: [...request.headers],
    uniqueId: request.uniqueId ?? `${startedMs.toString(36)}-${inspections.toString(36)}`,
    startedMs,
    zone: request.zone,
  }
}

async function inTurns<Result>(steps: Generator<void, Result, void>): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await nextTurn()
  }
}

/** The part of a body that the rules have seen. */
interface BodyRead {
  readonly bytes: number
  readonly complete: boolean
}

/** Reads until the body ends or exceeds the limit; the rest stays in its source. */
async function giveBody(transaction: Transaction, body: InspectedBody): Promise<BodyRead> {
  const { requestBodyBytesMax } = transaction
  let bytes = 0
  let sinceTurn = 0
  for await (const slice of slicesOf(body)) {
    transaction.addRequestBody(slice)
    bytes += slice.length
    if (bytes > requestBodyBytesMax) return { bytes: requestBodyBytesMax, complete: false }
    sinceTurn += slice.length
    if (sinceTurn < sliceBytes) continue
    sinceTurn = 0
    await nextTurn()
  }
  return { bytes, complete: true }
}

async function* slicesOf(body: InspectedBody): AsyncIterable<Uint8Array> {
  for await (const part of partsOf(body)) {
    // Text would pass the rules unread.
    if (!isBytes(part)) throw new TypeError('a request body comes in parts of bytes (Uint8Array)')
    for (let start = 0; start < part.length; start += sliceBytes) {
      yield part.subarray(start, start + sliceBytes)
    }
  }
}

const encoder = new TextEncoder()

function partsOf(body: InspectedBody): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  if (typeof body === 'string') return [encoder.encode(body)]
  if (isBytes(body)) return [body]
  return 'getReader' in body ? partsOfStream(body) : body
}

/** Not by `instanceof`: bytes may come from another realm, such as a test runner's. */
function isBytes(value: InspectedBody): value is Uint8Array {
  return Object.prototype.toString.call(value) === '[object Uint8Array]'
}

/** Not by the stream's own iterator: it waits for the cancellation, and one branch of a tee waits for the other. */
async function* partsOfStream(
  stream: Extract<InspectedBody, { getReader: unknown }>,
): AsyncIterable<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      assert(value !== undefined, 'a stream that has not ended gives a part')
      yield value
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
