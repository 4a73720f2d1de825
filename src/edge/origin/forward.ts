import type { EdgeCore } from '../exchange/core.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { RequestFacts } from '../exchange/facts.ts'
import type { ClientResponse } from '../message/client-response.ts'
import type { HeaderLines } from '../message/headers.ts'
import { countAtOrigin } from '../phases/rate-limit.ts'
import { beginAttempt, endAttempt } from '../records/spans/attempt-span.ts'
import { nextCdnLoop } from './cdn-loop.ts'
import type { OriginRequest } from './origin-client.ts'
import { requestHeadersForOrigin } from './origin-headers.ts'
import type { OriginCore } from './origins.ts'
import { Relay, type RelayInspector, type RelayOutcome, type RelayPlan } from './relay.ts'
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
  const gathering = gatherSmallBody(core, facts)
  if (gathering !== undefined) await gathering
  // The client may have left during the inspection.
  if (response.destroyed) return { kind: 'client-gone' }
  countAtOrigin(core, exchange)
  const origins = exchange.decisions.origins!
  const visit = new Visit(core, facts.request, origins, exchange.decisions.settings)
  const { slots } = core.origins
  let attempts = 0
  const whenGone = (giveUp: () => void) => response.events.once('close', giveUp)
  for (;;) {
    const server = visit.next()
    const upstream = upstreamOf(facts, exchange.decisions.settings, server)
    const slot = slots.take(upstream.url) ?? (await slots.wait(upstream.url, whenGone))
    if (slot === undefined) return { kind: 'client-gone' }
    if (response.destroyed) {
      slot.release()
      return { kind: 'client-gone' }
    }
    const cookie = visit.cookieAt(server)
    const { isRepeat } = visit
    const plan = { upstream, slot, cookie, isRepeat, inspector, upgrade }
    const span =
      exchange.span === undefined
        ? undefined
        : beginAttempt(exchange.span, facts, { upstream, uri: uriForOrigin(exchange), resends: attempts++ })
    const outcome = await attempt(core, exchange, response, plan, span?.context)
    if (span !== undefined) endAttempt(span, exchange, outcome.kind === 'failed' ? outcome.error : undefined)
    if (!visit.mayGoOn(outcome, server, facts)) return outcome
  }
}

/** A small body costs less in one piece than as a stream, and the origin need not wait for a slow client. */
function gatherSmallBody({ limits }: EdgeCore, { body }: RequestFacts): Promise<unknown> | undefined {
  if (body === undefined || !body.mayHaveBody) return undefined
  const { gatheredBodyBytesMax } = limits
  const isSmall = (body.announcedBytes ?? Infinity) <= gatheredBodyBytesMax
  return isSmall ? body.collect(gatheredBodyBytesMax) : undefined
}

interface Attempt extends RelayPlan {
  readonly isRepeat: boolean
  readonly upgrade: string | undefined
}

function attempt(
  core: OriginCore,
  exchange: Exchange,
  response: ClientResponse,
  plan: Attempt,
  traceContext: HeaderLines | undefined,
): Promise<RelayOutcome> {
  const { upstream, inspector, upgrade, isRepeat } = plan
  const { facts, state } = exchange
  const { request, body } = facts
  const { settings } = facts.plan!
  const { limits } = core
  const headers = requestHeadersForOrigin(state.headers, {
    received: request.headers,
    facts: {
      address: request.connection.address,
      host: request.host,
      rayId: facts.rayId,
      geo: () => state.geo,
      settings,
    },
    host: upstream.hostHeader,
    cdnLoop: nextCdnLoop(request.headers, core.cdnId),
    identityEncoding: inspector !== undefined,
    upgrade: upgrade !== undefined,
    traceContext,
  })
  const relay = new Relay(core, exchange, response, plan)
  try {
    core.origins.dispatch(
      upstream,
      {
        path: uriForOrigin(exchange),
        method: request.method,
        headers,
        body: body?.forOrigin(() => relay.originStalled()) ?? null,
        upgrade: upgrade ?? null,
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
