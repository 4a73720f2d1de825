import { newRayId } from '../../kit/ids.ts'
import type { TraceLocation, TraceRequest } from '../../model/request-trace.ts'
import type { PlaceView } from '../../rulesets/fields/request-view.ts'
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
  const place = (address: string) => placeWith(deps.place(address), traced.location)
  const startedMs = deps.clock.nowMs()
  const known = { rayId: newRayId(), plan, startedMs, place, cleared: traced.cleared }
  const named = Object.fromEntries(traced.headers.map(([name, value]) => [name.toLowerCase(), value]))
  const received = receivedBody(traced.body, http1Framing(named))
  const body = new BodySource(received, bodies, request.clientIp, undefined)
  return new Exchange(request, known, noClient, body)
}

function placeWith(place: PlaceView, told: TraceLocation): PlaceView {
  return {
    country: place.country,
    asnum: place.asnum,
    city: place.city,
    region: place.region,
    regionCode: place.regionCode,
    subdivision2Code: place.subdivision2Code,
    postalCode: place.postalCode,
    metroCode: place.metroCode,
    latitude: place.latitude,
    longitude: place.longitude,
    timezone: place.timezone,
    ...told,
  }
}

/** A trace sends no response. */
const noClient = { hasLeft: false, responseBytes: 0 }
