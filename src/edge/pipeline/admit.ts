import type { Exchange } from '../exchange/exchange.ts'
import type { Overload } from '../exchange/stats.ts'
import type { RequestFault } from '../message/request-faults.ts'
import type { PipelineCore } from './decide.ts'

/**
 * Checks the limits that refuse a request before its rules run.
 * @param fault known about the request
 * @returns the limit that refuses it
 */
export function refusingLimit(
  core: PipelineCore,
  exchange: Exchange,
  fault: RequestFault | undefined,
): Overload | undefined {
  if (!core.admission.admits(exchange.facts)) {
    exchange.leaveUnrecorded()
    return 'record_log'
  }
  // The request itself is valid. Its client has too many connections.
  if (fault?.status === 429) return 'client_connections'
  return core.inFlight.enter(exchange)
}
