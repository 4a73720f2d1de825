import type { OriginReport } from '../exchange/answer.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { firstHeader, type HeaderLines } from '../message/headers.ts'
import { responseHeadersForClient } from '../origin/origin-headers.ts'
import type { OriginCore } from '../origin/origins.ts'
import type { RelayInspector, RelayOutcome } from '../origin/relay.ts'
import { upstreamOf } from '../origin/upstream.ts'
import { type CustomError, customErrorFor } from '../phases/custom-errors.ts'
import { countAtOrigin } from '../phases/rate-limit.ts'
import { ResponseInspectionError, transformedHeaders } from '../phases/response-head.ts'
import { endRecorded } from '../records/recording.ts'
import type { KeptResponse } from './kept-response.ts'

/** The proxy's report about the response: its head, or nothing. */
export type Reported =
  | { readonly status: number; readonly headers: HeaderLines }
  /** Nothing more is known about the request. */
  | 'unseen'
  /** The client gave up. */
  | 'left'

interface Hooks {
  /** The request passes. @returns the report; undefined when the proxy makes none */
  passed(): Promise<Reported> | undefined
  /** Header lines of the response before the zone's rules changed them. */
  received(headers: HeaderLines): void
}

/** The origin behind another proxy: takes the place of `forward` in the pipeline. */
export async function throughProxy(
  core: OriginCore,
  exchange: Exchange,
  response: KeptResponse,
  inspector: RelayInspector | undefined,
  { passed, received }: Hooks,
): Promise<RelayOutcome> {
  // The client may have left during the inspection.
  if (response.destroyed) return { kind: 'client-gone' }
  countAtOrigin(core, exchange)
  const report = newReport(core, exchange)
  exchange.answer.origin = report
  const reported = (await passed()) ?? 'unseen'
  if (reported === 'left') {
    response.destroy()
    return { kind: 'client-gone' }
  }
  if (reported === 'unseen') {
    exchange.answer.unseen = true
    void endRecorded(core, exchange, response)
    return { kind: 'sent' }
  }
  const { status, headers } = reported
  received(headers)
  Object.assign(report, { headMs: core.deps.clock.nowMs(), status, headers })
  return respond(core, exchange, response, inspector, reported)
}

function newReport({ deps }: OriginCore, { facts, decisions }: Exchange): OriginReport {
  const startedMs = deps.clock.nowMs()
  // The proxy chooses the server and does not name it.
  const url = facts.plan!.zone.originUrl ?? 'http://0.0.0.0'
  const upstream = upstreamOf(facts, decisions.settings, { url, weight: 1 })
  return {
    upstream,
    startedMs,
    headMs: undefined,
    endedMs: undefined,
    status: 0,
    headers: [],
    bodyBytes: 0,
    link: undefined,
  }
}

/** Runs the response phases over the head, which is all that the proxy shows. */
async function respond(
  core: OriginCore,
  exchange: Exchange,
  response: KeptResponse,
  inspector: RelayInspector | undefined,
  { status, headers: rawHeaders }: { readonly status: number; readonly headers: HeaderLines },
): Promise<RelayOutcome> {
  const { answer, facts } = exchange
  const { originFirstByteMs } = answer
  let headers: HeaderLines
  let error: CustomError | undefined
  try {
    const own: HeaderLines = [
      ...rawHeaders.filter(([name]) => name.toLowerCase() !== 'ray-id'),
      ['Ray-ID', facts.rayId],
    ]
    const head = { status, headers: own, rawHeaders, errorType: '', errorCode: 0, originFirstByteMs }
    error = customErrorFor(core, exchange, head)
    // The rules for headers see the page when it is sent.
    headers = error === undefined ? transformedHeaders(core, exchange, head) : own
    const verdict =
      (await inspector?.head(status, headers)) ??
      (await inspector?.body(new Uint8Array(0), !inspector.wantsBody || error !== undefined))
    if (verdict !== undefined) return { kind: 'refused', verdict }
  } catch (cause) {
    const error = cause instanceof ResponseInspectionError ? cause : new ResponseInspectionError(cause)
    return { kind: 'failed', error, headSent: false }
  }
  const bodyBytes = facts.request.method === 'HEAD' ? 0 : lengthOf(rawHeaders)
  Object.assign(answer.origin!, { endedMs: core.deps.clock.nowMs(), bodyBytes })
  if (error !== undefined) {
    // A page is a separate response, so headers of the origin's connection do not belong to it.
    const kept = responseHeadersForClient(rawHeaders, facts.rayId, status)
    return { kind: 'replaced', error: { ...error, head: { ...error.head, headers: kept } } }
  }
  answer.begin(status, headers, core.deps.clock.nowMs())
  answer.bodyBytes = bodyBytes
  response.isOrigins = true
  response.writeHead(status, headers)
  response.count(bodyBytes)
  void endRecorded(core, exchange, response)
  return { kind: 'sent' }
}

/** The announced length; 0 when there is none. */
function lengthOf(headers: HeaderLines): number {
  const length = firstHeader(headers, 'content-length')
  return length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : 0
}
