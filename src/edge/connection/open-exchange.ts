import { hostNameOf } from '../../kit/host-name.ts'
import { newRayId } from '../../kit/ids.ts'
import { Exchange } from '../exchange/exchange.ts'
import type { BodySource } from '../message/body-source.ts'
import { clientAddress } from '../message/client-address.ts'
import { ClientRequest, type RequestHead } from '../message/client-request.ts'
import type { ClientChannel } from '../message/client-response.ts'
import type { PipelineCore } from '../pipeline/decide.ts'
import type { ClientLink } from './client-link.ts'

/** A request as it came over a connection. */
export function requestOver({ deps }: PipelineCore, link: ClientLink, head: RequestHead): ClientRequest {
  const { serverIp, serverPort, tls } = link
  const address = clientAddress(link, head.headers, deps.trustedProxies)
  return new ClientRequest(head, { address, tls, clientPort: link.peerPort, serverIp, serverPort })
}

/** Begins the exchange of a request, and counts it. */
export function openExchange(
  { deps, counters }: PipelineCore,
  request: ClientRequest,
  client: ClientChannel,
  body: BodySource | undefined,
): Exchange {
  counters.requests++
  counters.active++
  const plan = request.method === '' ? undefined : deps.plans.find(hostNameOf(request.host))
  const known = { rayId: newRayId(), plan, startedMs: deps.clock.nowMs(), place: deps.place, cleared: false }
  return new Exchange(request, known, client, body)
}
