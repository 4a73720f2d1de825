import type { OriginServer } from '../../rulesets/plan/plan.ts'
import type { EdgeCore } from '../exchange/core.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { RequestFacts } from '../exchange/facts.ts'
import type { ClientResponse } from '../message/client-response.ts'
import { countAtOrigin } from '../phases/rate-limit.ts'
import { nextCdnLoop } from './cdn-loop.ts'
import type { OriginRequest } from './origin-client.ts'
import { requestHeadersForOrigin } from './origin-headers.ts'
import type { OriginCore } from './origins.ts'
import { Relay, type RelayInspector, type RelayOutcome } from './relay.ts'
import { upstreamOf, uriForOrigin } from './upstream.ts'
import { Visit } from './visit.ts'

/**
 * Forwards a request to a server of its host name and the response to the client. When the server cannot be reached, the
 * next one is tried, as long as the request can be repeated.
 * @throws ClientBodyError when a body that is gathered first does not arrive; OriginBusyError
 * @param upgrade protocol to switch to, such as `websocket`
 */
export async function forward(
  core: OriginCore,
  exchange: Exchange,
  response: ClientResponse,
  inspector: RelayInspector | undefined,
  upgrade: string | undefined,
): Promise<RelayOutcome> {
  const { facts } = exchange
  await gatherSmallBody(core, facts)
  // The client may have left during the inspection.
  if (response.destroyed) return { kind: 'client-gone' }
  countAtOrigin(core, exchange)
  const origins = exchange.decisions.origins!
  const visit = new Visit(core, facts.request, origins, exchange.decisions.settings)
  for (;;) {
    const server = visit.next()
    const cookie = visit.cookieAt(server)
    const { isRepeat } = visit
    const outcome = await attempt(core, exchange, response, { server, cookie, isRepeat, inspector, upgrade })
    if (!visit.mayGoOn(outcome, server, facts)) return outcome
  }
}

/** A small body costs less in one piece than as a stream, and the origin need not wait for a slow client. */
async function gatherSmallBody({ limits }: EdgeCore, { body }: RequestFacts): Promise<void> {
  if (body === undefined || !body.mayHaveBody) return
  const { gatheredBodyBytesMax } = limits
  if ((body.announcedBytes ?? Infinity) <= gatheredBodyBytesMax) await body.collect(gatheredBodyBytesMax)
}

interface Attempt {
  readonly server: OriginServer
  /** A Set-Cookie line for the response. */
  readonly cookie: string | undefined
  readonly isRepeat: boolean
  readonly inspector: RelayInspector | undefined
  readonly upgrade: string | undefined
}

async function attempt(
  core: OriginCore,
  exchange: Exchange,
  response: ClientResponse,
  { server, cookie, isRepeat, inspector, upgrade }: Attempt,
): Promise<RelayOutcome> {
  const { facts, state, decisions } = exchange
  const { request, body } = facts
  const { settings } = facts.plan!
  const { limits } = core
  const upstream = upstreamOf(facts, decisions.settings, server)
  const { slots } = core.origins
  const slot =
    slots.take(upstream.url) ??
    (await slots.wait(upstream.url, giveUp => response.events.once('close', giveUp)))
  if (slot === undefined) return { kind: 'client-gone' }
  if (response.destroyed) {
    slot.release()
    return { kind: 'client-gone' }
  }
  const headers = requestHeadersForOrigin(state.headers, {
    received: request.headers,
    facts: {
      address: request.connection.address,
      host: request.host,
      rayId: facts.rayId,
      place: () => state.place,
      settings,
    },
    host: upstream.hostHeader,
    cdnLoop: nextCdnLoop(request.headers, core.cdnId),
    identityEncoding: inspector !== undefined,
    upgrade: upgrade !== undefined,
  })
  const relay = new Relay(core, exchange, response, { upstream, cookie, inspector, slot })
  try {
    core.origins.dispatch(
      upstream,
      {
        path: uriForOrigin(exchange),
        method: request.method,
        headers,
        body: body?.forOrigin(relay.originStalled) ?? null,
        ...(upgrade === undefined ? {} : { upgrade }),
        http2: protocolFor(facts, upgrade),
        connectTimeoutMs: settings.originConnectTimeoutMs,
        headersTimeout: settings.originReadTimeoutMs ?? limits.originHeadersTimeoutMs,
        bodyTimeout: settings.originReadTimeoutMs ?? limits.originIdleTimeoutMs,
        isRepeat,
        isWanted: () => relay.isWanted,
      },
      relay,
    )
  } catch (error) {
    relay.onResponseError(undefined, error as Error)
  }
  return relay.outcome
}

/** HTTP/2 has no upgrade. */
function protocolFor({ isGrpc, plan }: RequestFacts, upgrade: string | undefined): OriginRequest['http2'] {
  if (isGrpc) return 'required'
  return plan!.settings.originHttp2 && upgrade === undefined ? 'if-offered' : 'never'
}
