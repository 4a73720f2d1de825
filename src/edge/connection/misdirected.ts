import { hostNameOf } from '../../kit/host-name.ts'
import type { ZoneSettings } from '../../model/zone-settings.ts'
import type { ClientRequest } from '../message/client-request.ts'
import type { RequestFault } from '../message/request-faults.ts'
import type { PipelineCore } from '../pipeline/decide.ts'
import type { HandshakeFacts } from '../tls/handshakes.ts'
import { tlsPolicy } from '../tls/policy.ts'

/**
 * A request over TLS is for a host that its connection was not made for: the certificate does not cover the host, or the
 * host belongs to another zone than the name of the handshake, whose TLS settings held. A handshake without a name had the
 * default settings, so that the zone of the host may not allow what it negotiated.
 * @source RFC 9110 7.4 and 15.5.20
 */
export function misdirected({ deps }: PipelineCore, request: ClientRequest): RequestFault | undefined {
  const { tls } = request.connection
  if (tls === undefined) return undefined
  const host = hostNameOf(request.host)
  const { plans } = deps
  const plan = plans.find(host)
  const isOtherZone = tls.serverName !== undefined && plans.find(tls.serverName) !== plan
  if (!tls.covers(host) || isOtherZone)
    return { status: 421, reason: 'the certificate of this connection is not for this host' }
  if (tls.serverName !== undefined || plan === undefined) return undefined
  if (isAllowed(plan.settings, tls, request.version)) return undefined
  return {
    status: 421,
    reason: 'the host does not allow the version of TLS or HTTP, or the cipher, of this connection',
  }
}

/** The results of a handshake, by their names. */
type TlsNames = Pick<HandshakeFacts, 'protocol' | 'cipher'>

function isAllowed(settings: ZoneSettings, { protocol, cipher }: TlsNames, httpVersion: string): boolean {
  const { min, max, http2 } = tlsPolicy(settings)
  const { ciphers } = settings
  if (protocol < min || protocol > max || (!http2 && httpVersion === 'HTTP/2')) return false
  return ciphers === undefined || protocol !== 'TLSv1.2' || ciphers.includes(cipher)
}
