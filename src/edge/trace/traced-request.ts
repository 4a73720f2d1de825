import type { IncomingMessage } from 'node:http'
import { Duplex, Readable } from 'node:stream'
import { newRayId } from '../../kit/ids.ts'
import type { TracePlace, TraceRequest } from '../../model/request-trace.ts'
import type { ZonePlan } from '../../rulesets/plan.ts'
import type { PlaceView } from '../../rulesets/request-view.ts'
import { BodySource } from '../body-source.ts'
import { ClientRequest } from '../client-request.ts'
import type { EdgeCore } from '../core.ts'
import { Exchange } from '../exchange.ts'

/** The request as the listener would have read it from a client's connection. */
export function clientRequestOf(traced: TraceRequest): ClientRequest {
  const { method, target, protocol, headers, clientIp, scheme, port } = traced
  return new ClientRequest(
    { method, target, protocol, headers },
    {
      address: { clientIp, peerIp: clientIp, peerTrusted: false, scheme },
      clientPort: 0,
      serverIp: '',
      serverPort: port,
    },
  )
}

/** An exchange of nobody's: its connection leads nowhere. */
export function tracedExchange(
  core: EdgeCore,
  traced: TraceRequest,
  request: ClientRequest,
  plan: ZonePlan,
): Exchange {
  const { deps, limits } = core
  const place = (address: string) => placeWith(deps.place(address), traced.place)
  const known = { rayId: newRayId(), plan, startedMs: deps.clock.nowMs(), place }
  const body = new BodySource(receivedMessage(traced), limits.bodyIdleTimeoutMs, undefined)
  const exchange = new Exchange(request, known, new Duplex(), body)
  exchange.cleared = traced.cleared
  return exchange
}

/** As much of node's message as a `BodySource` looks at, with the body received already. */
function receivedMessage({ headers, body }: TraceRequest): IncomingMessage {
  const stream = new Readable({ read() {} })
  if (body.length > 0) stream.push(body)
  stream.push(null)
  const named = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
  return Object.assign(stream, { headers: named, complete: true }) as unknown as IncomingMessage
}

function placeWith(place: PlaceView, told: TracePlace): PlaceView {
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
