import { newRayId } from '../../kit/ids.ts'
import type { TraceLocation, TraceRequest } from '../../model/request-trace.ts'
import type { GeoView } from '../../rulesets/fields/request-view.ts'
import type { ZonePlan } from '../../rulesets/plan/plan.ts'
import type { EdgeCore } from '../exchange/core.ts'
import { Exchange } from '../exchange/exchange.ts'
import { BodySource, http1Framing } from '../message/body-source.ts'
import { ClientRequest } from '../message/client-request.ts'
import { receivedBody } from '../message/received-body.ts'

/** The request as the listener would read it from a client's connection. */
export function clientRequestOf(traced: TraceRequest): ClientRequest {
  const { method, target, protocol, headers, clientIp, scheme, port } = traced
  return new ClientRequest(
    { method, target, protocol, headers },
    {
      address: { clientIp, peerIp: clientIp, peerTrusted: false, scheme, forwardedFor: [] },
      tls: undefined,
      clientPort: 0,
      serverIp: '',
      serverPort: port,
    },
  )
}

/** An exchange without a client. Its connection leads nowhere. */
export function tracedExchange(
  core: EdgeCore,
  traced: TraceRequest,
  request: ClientRequest,
  plan: ZonePlan,
): Exchange {
  const { deps, bodies } = core
  const geo = (address: string) => geoWith(deps.geo(address), traced.location)
  const startedMs = deps.clock.nowMs()
  const known = { rayId: newRayId(), plan, startedMs, geo, cleared: traced.cleared }
  const named = Object.fromEntries(traced.headers.map(([name, value]) => [name.toLowerCase(), value]))
  const received = receivedBody(traced.body, http1Framing(named))
  const body = new BodySource(received, bodies, request.clientIp, undefined)
  return new Exchange(request, known, noClient, body)
}

function geoWith(geo: GeoView, told: TraceLocation): GeoView {
  return {
    country: geo.country,
    asnum: geo.asnum,
    city: geo.city,
    region: geo.region,
    regionCode: geo.regionCode,
    subdivision2Code: geo.subdivision2Code,
    postalCode: geo.postalCode,
    metroCode: geo.metroCode,
    latitude: geo.latitude,
    longitude: geo.longitude,
    timezone: geo.timezone,
    ...told,
  }
}

/** A trace sends no response. */
const noClient = { hasLeft: false, responseBytes: 0 }
