import type { ZoneSettings } from '../../model/zone-settings.ts'
import type { TlsVersions } from './certificates.ts'

/** The versions of TLS, and the protocols, that a zone allows its clients. */
export interface TlsPolicy extends TlsVersions {
  readonly http2: boolean
}

export function tlsPolicy({ minTlsVersion, tls13, http2 }: ZoneSettings): TlsPolicy {
  return {
    min: minTlsVersion === '1.3' && tls13 ? 'TLSv1.3' : 'TLSv1.2',
    max: tls13 ? 'TLSv1.3' : 'TLSv1.2',
    http2,
  }
}
