import type { TlsOptions } from 'node:tls'

/** Versions of TLS that clients may use. */
export interface TlsVersions {
  readonly min: 'TLSv1.2' | 'TLSv1.3'
  readonly max: 'TLSv1.2' | 'TLSv1.3'
}

/** One certificate with its key, as listeners use it. */
export interface EdgeCertificate {
  /** Host names, in lower case; `*.example.com` for one label. */
  readonly names: readonly string[]
  /** Self-signed: no client trusts it, so it stands for every host that has no certificate. */
  readonly standsForAll: boolean
  /** The certificate, its key, and the ciphers. */
  readonly options: TlsOptions
  /** The OCSP response in DER, while there is one. Absent for certificates that never get one. */
  readonly staple?: (() => Promise<Buffer | undefined>) | undefined
}

/** The certificates of an edge. They may change at any time; connections keep the one that they began with. */
export interface Certificates {
  /** @param serverName lower case; undefined for clients without SNI, which get the default certificate */
  find(serverName: string | undefined): EdgeCertificate | undefined
}

/** A certificate covers a host name (RFC 9525 6.3). @param host lower case, without port */
export function covers({ names, standsForAll }: EdgeCertificate, host: string): boolean {
  if (standsForAll || names.includes(host)) return true
  const dot = host.indexOf('.')
  return dot > 0 && names.includes(`*${host.slice(dot)}`)
}
