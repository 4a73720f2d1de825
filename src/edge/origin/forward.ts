import type { EdgeCore } from '../exchange/core.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { RequestFacts } from '../exchange/facts.ts'
import type { ClientResponse } from '../message/client-response.ts'
import { countAtOrigin } from '../phases/rate-limit.ts'
import { nextCdnLoop } from './cdn-loop.ts'
import { requestHeadersForOrigin } from './origin-headers.ts'
import type { OriginCore } from './origins.ts'
import { Relay, type RelayInspector, type RelayOutcome } from './relay.ts'
import { upstreamOf, uriForOrigin } from './upstream.ts'

/**
 * Forwards a request to its zone's origin and the response to the client. A GET or HEAD without a body is retried once
 * when its kept-alive connection was dead.
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
  await gatherSmallBody(core, exchange.facts)
  // The client may have left during the inspection.
  if (response.destroyed) return { kind: 'client-gone' }
  countAtOrigin(core, exchange)
  const outcome = await attempt(core, exchange, response, inspector, upgrade)
  const again =
    outcome.kind === 'failed' &&
    !outcome.headSent &&
    isDeadConnection(outcome.error) &&
    isRepeatable(exchange.facts)
  return again ? attempt(core, exchange, response, inspector, upgrade) : outcome
}

/** A small body costs less in one piece than as a stream, and the origin need not wait for a slow client. */
async function gatherSmallBody({ limits }: EdgeCore, { body }: RequestFacts): Promise<void> {
  if (body === undefined || !body.mayHaveBody) return
  const { gatheredBodyBytesMax } = limits
  if ((body.announcedBytes ?? Infinity) <= gatheredBodyBytesMax) await body.collect(gatheredBodyBytesMax)
}

async function attempt(
  core: OriginCore,
  exchange: Exchange,
  response: ClientResponse,
  inspector: RelayInspector | undefined,
  upgrade: string | undefined,
): Promise<RelayOutcome> {
  const { facts, state, decisions } = exchange
  const { request, body, plan } = facts
  const upstream = upstreamOf(facts, decisions.settings)
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
      settings: plan!.settings,
    },
    host: upstream.hostHeader,
    cdnLoop: nextCdnLoop(request.headers, core.cdnId),
    identityEncoding: inspector !== undefined,
    upgrade: upgrade !== undefined,
  })
  const relay = new Relay(core, exchange, upstream, response, inspector, slot)
  try {
    core.origins.dispatch(
      upstream,
      {
        path: uriForOrigin(exchange),
        method: request.method,
        headers,
        body: body?.forOrigin() ?? null,
        ...(upgrade === undefined ? {} : { upgrade }),
        isWanted: () => relay.isWanted,
      },
      relay,
    )
  } catch (error) {
    relay.onResponseError(undefined, error as Error)
  }
  return relay.outcome
}

function isDeadConnection(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE'
}

function isRepeatable({ request, body }: RequestFacts): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && body?.mayHaveBody !== true
}
