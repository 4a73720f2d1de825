import type { Exchange } from './exchange.ts'
import type { Upstream } from './origins.ts'

/** Where the request goes: to its zone's origin, unless rules of `http_request_origin` say otherwise. */
export function upstreamOf({ plan, request, settings }: Exchange): Upstream {
  const { originUrl } = plan!.zone
  const { host, port } = settings
  return {
    url: host === undefined && port === undefined ? originUrl : routed(originUrl, host, port),
    hostHeader: settings.hostHeader ?? request.host,
    sni: settings.sni,
    verifies: settings.verifiesOrigin ?? true,
  }
}

function routed(originUrl: string, host: string | undefined, port: number | undefined): string {
  const url = new URL(originUrl)
  if (host !== undefined) url.hostname = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  if (port !== undefined) url.port = String(port)
  return url.origin
}
