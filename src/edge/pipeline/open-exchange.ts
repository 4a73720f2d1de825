import { hostNameOf } from '../../kit/host-name.ts'
import { newRayId } from '../../kit/ids.ts'
import { Exchange } from '../exchange/exchange.ts'
import type { BodySource } from '../message/body-source.ts'
import type { ClientRequest } from '../message/client-request.ts'
import type { ClientChannel } from '../message/client-response.ts'
import { beginSpan } from '../records/spans/request-span.ts'
import type { PipelineCore } from './decide.ts'

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
  const known = { rayId: newRayId(), plan, startedMs: deps.clock.nowMs(), geo: deps.geo, cleared: false }
  return new Exchange(request, known, client, body, beginSpan(deps, request))
}
