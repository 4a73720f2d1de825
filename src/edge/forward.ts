import type { ServerResponse } from 'node:http'
import type { EdgeCore } from './core.ts'
import type { Exchange } from './exchange.ts'
import { requestHeadersForOrigin } from './headers.ts'
import type { ResponseInspector } from './inspect-response.ts'
import { countAtOrigin } from './rate-limit.ts'
import { Relay, type RelayOutcome } from './relay.ts'
import { upstreamOf } from './upstream.ts'

/**
 * Sends a request to its zone's origin and the answer back. A bodiless GET or HEAD is sent once more when a
 * kept-alive connection turned out to be dead.
 * @throws ClientBodyError when a body that is gathered first does not come
 * @param upgrade protocol to switch to, such as `websocket`
 */
export async function forward(
  core: EdgeCore,
  exchange: Exchange,
  response: ServerResponse,
  inspector: ResponseInspector | undefined,
  upgrade: string | undefined,
): Promise<RelayOutcome> {
  await gatherSmallBody(core, exchange)
  // It may have left while its request was looked at.
  if (response.destroyed) return { kind: 'client-gone' }
  countAtOrigin(core, exchange)
  const outcome = await attempt(core, exchange, response, inspector, upgrade)
  const again =
    outcome.kind === 'failed' &&
    !outcome.headSent &&
    isDeadConnection(outcome.error) &&
    isRepeatable(exchange)
  return again ? attempt(core, exchange, response, inspector, upgrade) : outcome
}

/** A few bytes cost less in one piece than as a stream, and the origin need not wait for a slow client. */
async function gatherSmallBody({ limits }: EdgeCore, { body }: Exchange): Promise<void> {
  if (body === undefined || !body.mayHaveBody) return
  const { gatheredBodyBytesMax } = limits
  if ((body.announcedBytes ?? Infinity) <= gatheredBodyBytesMax) await body.collect(gatheredBodyBytesMax)
}

async function attempt(
  core: EdgeCore,
  exchange: Exchange,
  response: ServerResponse,
  inspector: ResponseInspector | undefined,
  upgrade: string | undefined,
): Promise<RelayOutcome> {
  const { request, state, body } = exchange
  const upstream = upstreamOf(exchange)
  const { address } = request.connection
  const headers = requestHeadersForOrigin(state.headers, {
    received: request.headers,
    peerIp: address.peerIp,
    peerTrusted: address.peerTrusted,
    scheme: request.scheme,
    host: upstream.hostHeader,
    rayId: exchange.rayId,
    identityEncoding: inspector !== undefined,
    upgrade: upgrade !== undefined,
  })
  const relay = new Relay(core, exchange, upstream, response, inspector)
  try {
    core.origins.dispatch(
      upstream,
      {
        path: exchange.uriForOrigin,
        method: request.method,
        headers,
        body: body?.forOrigin() ?? null,
        ...(upgrade === undefined ? {} : { upgrade }),
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

function isRepeatable({ request, body }: Exchange): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && body?.mayHaveBody !== true
}
