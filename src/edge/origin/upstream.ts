import { unixPathOf } from '../../kit/unix-url.ts'
import type { OriginServer } from '../../rulesets/plan/plan.ts'
import type { Upstream } from '../exchange/answer.ts'
import type { RequestSettings } from '../exchange/decisions.ts'
import type { RequestParts } from '../exchange/exchange.ts'
import type { RequestFacts } from '../exchange/facts.ts'

/** The destination of the request: the chosen server, unless rules of `http_request_origin` change it. */
export function upstreamOf(facts: RequestFacts, settings: RequestSettings, server: OriginServer): Upstream {
  const { host, port } = settings
  return {
    url: host === undefined && port === undefined ? server.url : routed(server.url, host, port),
    hostHeader: settings.hostHeader ?? server.hostHeader ?? facts.request.host,
    sni: settings.sni,
    verifies: settings.verifiesOrigin ?? facts.plan!.settings.ssl !== 'full',
    tls: facts.plan!.originTls,
  }
}

/** Host header for the origin, where no server of a pool has its own. */
export function hostHeaderOf({ request }: RequestFacts, settings: RequestSettings): string {
  return settings.hostHeader ?? request.host
}

/** Path and query for the origin. */
export function uriForOrigin({ facts, state }: Pick<RequestParts, 'facts' | 'state'>): string {
  const normalizes = facts.plan?.settings.urlNormalization.scope === 'both'
  return state.uriWith(normalizes ? state.normalizedPath : facts.request.path)
}

/** A unix socket has no port, so a port alone changes nothing there. */
function routed(originUrl: string, host: string | undefined, port: number | undefined): string {
  if (host === undefined && unixPathOf(originUrl) !== undefined) return originUrl
  const url = new URL(originUrl)
  if (host !== undefined) url.hostname = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  if (port !== undefined) url.port = String(port)
  return url.origin
}
