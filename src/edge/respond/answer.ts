import type { Socket } from 'node:net'
import { textOfBytes } from '../../kit/bytes.ts'
import type { CustomPages } from '../../rulesets/plan/plan.ts'
import type { EdgeCore } from '../exchange/core.ts'
import type { EdgeLimits } from '../exchange/deps.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { RequestFacts } from '../exchange/facts.ts'
import { reportInternal } from '../exchange/report.ts'
import type { BodySource } from '../message/body-source.ts'
import type { ClientResponse } from '../message/client-response.ts'
import type { HeaderLines } from '../message/headers.ts'
import type { RequestFault } from '../message/request-faults.ts'
import { customErrorFor } from '../phases/custom-errors.ts'
import { type AnswerHead, transformedHeaders } from '../phases/response-head.ts'
import { endRecorded } from '../records/recording.ts'
import type { Page, PageContext } from './page.ts'
import { errorPage } from './pages.ts'
import { servedPage } from './served-error.ts'

export function pageContext({ deps }: EdgeCore, { request, rayId, plan }: RequestFacts): PageContext {
  return {
    accept: request.header('accept'),
    rayId,
    host: textOfBytes(request.host),
    clientIp: request.clientIp,
    country: () => deps.geo(request.clientIp).country || 'XX',
    customPages: plan?.customPages ?? noPages,
  }
}

const noPages: CustomPages = new Map()

/** Explains to a client why its request is refused. */
export function faultPage(core: EdgeCore, facts: RequestFacts, { status, reason }: RequestFault): Page {
  const kind = status === 408 ? 'body-timeout' : status === 400 ? 'bad-request' : 'refused'
  return errorPage(status, kind, pageContext(core, facts), reason)
}

/**
 * Asks a client to retry later.
 * @param fault of status 429 when the client reached its own limit; others do not matter, and the status is 503
 */
export function overloadPage(core: EdgeCore, facts: RequestFacts, fault?: RequestFault): Page {
  const own = fault?.status === 429 ? fault : undefined
  const page = errorPage(own?.status ?? 503, 'overloaded', pageContext(core, facts), own?.reason)
  return { ...page, headers: [...page.headers, ['Retry-After', String(retryAfterSeconds)]] }
}

const retryAfterSeconds = 10

/** Answers with a page of the edge. Does nothing when a response was already begun. */
export function answer(core: EdgeCore, exchange: Exchange, response: ClientResponse, page: Page): void {
  if (response.headSent || response.destroyed) return
  const { status, headers, body } = wholePage(core, exchange, page)
  const { facts, answer: report } = exchange
  // A client that waits for 100 Continue may or may not send its body now. Only a new connection is unambiguous.
  if (facts.body?.uninvited || core.draining) response.endConnection()
  report.begin(status, headers, core.deps.clock.nowMs())
  if (facts.request.method !== 'HEAD') report.bodyBytes = body.length
  response.writeHead(status, headers)
  response.holdLastBytes()
  // Sent together with the head: a string costs a third less than separate bytes.
  if (report.bodyBytes > 0) response.write(body)
  else response.flushHead()
  void endRecorded(core, exchange, response)
}

interface WrittenPage {
  readonly status: number
  readonly headers: HeaderLines
  /** Byte string. */
  readonly body: string
}

/**
 * A page as it is sent: its body as a byte string, and its headers after the zone's rules. When these rules fail, the
 * page is an error page.
 */
export function wholePage(core: EdgeCore, exchange: Exchange, page: Page): WrittenPage {
  const { facts } = exchange
  // The zone's rules do not change responses that a browser needs for a challenge.
  if (facts.isSolution) return written(page, facts.rayId)
  try {
    const shown = shownPage(core, exchange, page)
    const { status, headers, body } = written(shown, facts.rayId)
    const head = { ...headOf(exchange, shown), headers, rawHeaders: shown.rawHeaders ?? headers }
    return { status, headers: transformedHeaders(core, exchange, head), body }
  } catch (error) {
    core.counters.internalFailures++
    reportInternal(core, facts, error)
    return wholePage(core, exchange, errorPage(500, 'internal', pageContext(core, facts)))
  }
}

/** The page of the zone's custom error rule for it, or the page itself. */
function shownPage(core: EdgeCore, exchange: Exchange, page: Page): Page {
  if (page.isChosen) return page
  const error = customErrorFor(core, exchange, headOf(exchange, page))
  return error === undefined ? page : servedPage(error, pageContext(core, exchange.facts))
}

function headOf({ answer }: Exchange, { status, headers, errorType = '', errorCode = 0 }: Page): AnswerHead {
  const { originFirstByteMs } = answer
  return { status, headers, rawHeaders: headers, errorType, errorCode, originFirstByteMs }
}

function written(page: Page, rayId: string): WrittenPage {
  const isAscii = Buffer.byteLength(page.body) === page.body.length
  const body = isAscii ? page.body : Buffer.from(page.body).toString('latin1')
  const headers: HeaderLines = [...page.headers, ['Content-Length', String(body.length)], ['Ray-ID', rayId]]
  return { status: page.status, headers, body }
}

/**
 * Handles a response that was sent before the end of the request body. A bounded rest of the body is read and discarded,
 * so that the client receives the response. Then the connection is usable again, or closed.
 */
export async function linger(core: EdgeCore, body: BodySource, socket: Socket): Promise<void> {
  if (body.complete || socket.destroyed) return
  if (!body.uninvited) await body.discard({ bytes: core.limits.lingerBytesMax, ms: core.limits.lingerMs })
  if (!body.complete) socket.destroySoon()
}

/** Discards further input for a while before it closes, because the reset of a connection could overtake the response. */
export function closeLater(socket: Socket, { lingerMs }: EdgeLimits): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
  socket.resume()
}
