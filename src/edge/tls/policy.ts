import type { ZoneSettings } from '../../model/zone-settings.ts'
import type { TlsVersions } from './certificates.ts'
import { cipherList } from './ciphers.ts'

/** The versions of TLS, the ciphers and the protocols that a zone allows its clients. */
export interface TlsPolicy extends TlsVersions {
  /** For OpenSSL; undefined: those of the certificate. */
  readonly ciphers: string | undefined
  readonly http2: boolean
}

export function tlsPolicy({ minTlsVersion, tls13, http2, ciphers }: ZoneSettings): TlsPolicy {
  return {
    min: minTlsVersion === '1.3' && tls13 ? 'TLSv1.3' : 'TLSv1.2',
    max: tls13 ? 'TLSv1.3' : 'TLSv1.2',
    ciphers: ciphers && cipherList(ciphers),
    http2,
  }
}
