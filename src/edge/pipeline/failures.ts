import type { EdgeCore } from '../exchange/core.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { reportInternal } from '../exchange/report.ts'
import type { Overload } from '../exchange/stats.ts'
import { ClientBodyError } from '../message/body-source.ts'
import type { ClientResponse } from '../message/client-response.ts'
import type { RequestFault } from '../message/request-faults.ts'
import { OwnListenerError } from '../origin/connector.ts'
import { OriginBusyError } from '../origin/origin-slots.ts'
import { NoOriginError } from '../origin/visit.ts'
import { ResponseInspectionError } from '../phases/response-head.ts'
import { answer, faultPage, overloadPage, pageContext } from '../respond/answer.ts'
import { errorPage } from '../respond/pages.ts'

/** Answers a request whose pipeline threw an error. */
export function answerFailure(
  core: EdgeCore,
  exchange: Exchange,
  response: ClientResponse,
  error: unknown,
): void {
  if (error instanceof ClientBodyError) answerBodyError(core, exchange, response, error)
  else if (error instanceof NoOriginError)
    answer(core, exchange, response, errorPage(503, 'no-origin', pageContext(core, exchange.facts)))
  else if (error instanceof OriginBusyError) answerOverload(core, exchange, response, 'origin_connections')
  else answerInternal(core, exchange, response, error)
}

/** Answers a request whose origin failed, or whose client failed while it sent the body. */
export function answerOriginFailure(
  core: EdgeCore,
  exchange: Exchange,
  response: ClientResponse,
  error: Error,
): void {
  const { facts } = exchange
  if (error instanceof ClientBodyError) {
    answerBodyError(core, exchange, response, error)
    return
  }
  if (error instanceof ResponseInspectionError) {
    answerInternal(core, exchange, response, error)
    return
  }
  if (error instanceof OwnListenerError) {
    core.counters.loops++
    answer(core, exchange, response, errorPage(508, 'loop', pageContext(core, facts)))
    return
  }
  core.counters.originFailures++
  const { code } = error as NodeJS.ErrnoException
  const zone = facts.plan!.zone.name
  core.deps.logger.warn(
    { rayId: facts.rayId, zone, code, reason: error.message },
    'the origin did not answer',
  )
  if (response.headSent) {
    // The client must notice that the response is incomplete.
    exchange.answer.brokeOff = 'origin'
    response.destroy()
    return
  }
  const slow =
    code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT'
  const page = errorPage(
    slow ? 504 : 502,
    slow ? 'origin-slow' : 'origin-unreachable',
    pageContext(core, facts),
  )
  answer(core, exchange, response, page)
}

/** A limit is reached. The client may retry later. @param fault as in `overloadPage` */
export function answerOverload(
  core: EdgeCore,
  exchange: Exchange,
  response: ClientResponse,
  limit: Overload,
  fault?: RequestFault,
): void {
  core.counters.overloads[limit]++
  answer(core, exchange, response, overloadPage(core, exchange.facts, ofClient[limit] ?? fault))
}

/** Limits that its own requests have brought a client to. */
const ofClient: { readonly [limit in Overload]?: RequestFault } = {
  client_requests: {
    status: 429,
    reason: 'there are too many requests in progress from your address',
  },
  client_body_memory: {
    status: 429,
    reason: 'the bodies of the requests in progress from your address are too large',
  },
}

const tooLongBody: RequestFault = {
  status: 413,
  reason: 'the request body is longer than this site accepts',
}

function answerBodyError(
  core: EdgeCore,
  exchange: Exchange,
  response: ClientResponse,
  error: ClientBodyError,
): void {
  response.endConnection()
  if (error.code === 'aborted' || response.headSent) {
    exchange.answer.brokeOff = 'client'
    response.destroy()
    return
  }
  if (error.code === 'overload') {
    answerOverload(core, exchange, response, 'body_memory')
    return
  }
  if (error.code === 'client-overload') {
    answerOverload(core, exchange, response, 'client_body_memory')
    return
  }
  if (error.code === 'too-long') {
    answer(core, exchange, response, faultPage(core, exchange.facts, tooLongBody))
    return
  }
  core.counters.malformed++
  const context = pageContext(core, exchange.facts)
  const page =
    error.code === 'timeout'
      ? errorPage(408, 'body-timeout', context)
      : errorPage(400, 'bad-request', context, 'the request body breaks the rules of HTTP')
  answer(core, exchange, response, page)
}

/** An internal error during the checks. Unchecked requests never pass. */
function answerInternal(core: EdgeCore, exchange: Exchange, response: ClientResponse, error: unknown): void {
  core.counters.internalFailures++
  reportInternal(core, exchange.facts, error)
  if (response.headSent) response.destroy()
  else answer(core, exchange, response, errorPage(500, 'internal', pageContext(core, exchange.facts)))
}
