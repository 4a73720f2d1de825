import type { WafRequest } from '../../waf/types.ts'
import type { RequestParts } from './exchange.ts'

/** The request for managed rules, with its rewrites. SecLang has its own normalisation of paths. */
export function wafRequest({ facts, state }: RequestParts): WafRequest {
  const { request } = facts
  const uri = state.uriWith(request.path)
  return {
    clientIp: request.clientIp,
    clientPort: request.connection.clientPort,
    serverPort: request.connection.serverPort,
    method: request.method,
    target: uri === request.uri ? request.target : uri,
    // As Apache names it to rules.
    protocol: request.version === 'HTTP/2' ? 'HTTP/2.0' : request.version,
    headers: state.headers,
    uniqueId: facts.rayId,
    startedMs: facts.startedMs,
    zone: facts.plan?.zone.id,
  }
}
