import { hostNameOf } from '../../kit/host-name.ts'
import type { ClientRequest } from '../message/client-request.ts'
import type { RequestFault } from '../message/request-faults.ts'
import type { PipelineCore } from '../pipeline/decide.ts'

/**
 * A request over TLS is for a host that its connection was not made for: the certificate does not cover the host, or the
 * host belongs to another zone than the name of the handshake, whose TLS settings held.
 * @source RFC 9110 7.4 and 15.5.20
 */
export function misdirected({ deps }: PipelineCore, request: ClientRequest): RequestFault | undefined {
  const { tls } = request.connection
  if (tls === undefined) return undefined
  const host = hostNameOf(request.host)
  const { plans } = deps
  const isOtherZone = tls.serverName !== undefined && plans.find(tls.serverName) !== plans.find(host)
  if (tls.covers(host) && !isOtherZone) return undefined
  return { status: 421, reason: 'the certificate of this connection is not for this host' }
}
