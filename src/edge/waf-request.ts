import type { WafRequest } from '../waf/types.ts'
import type { Exchange } from './exchange.ts'

/** The request as the origin will get it: a rewritten one is inspected as rewritten. */
export function wafRequest(exchange: Exchange): WafRequest {
  const { request, state } = exchange
  const { uriForOrigin } = exchange
  return {
    clientIp: request.clientIp,
    clientPort: request.connection.clientPort,
    serverPort: request.connection.serverPort,
    method: request.method,
    target: uriForOrigin === request.uri ? request.target : uriForOrigin,
    protocol: request.version,
    headers: state.headers,
    uniqueId: exchange.rayId,
    startedMs: exchange.startedMs,
  }
}
