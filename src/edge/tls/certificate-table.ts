import { X509Certificate } from 'node:crypto'
import { createSecureContext, type TlsOptions } from 'node:tls'
import type { Certificates, EdgeCertificate } from './certificates.ts'

/** A certificate with its chain and key, in PEM. */
export interface CertificatePair {
  readonly certificate: string
  readonly key: string
}

/** TLS 1.2 with forward secrecy and authenticated encryption only. TLS 1.3 has no other ciphers. */
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')

/**
 * The certificates of an edge, by name. `replace` swaps all of them at once; connections in progress are not touched.
 * Finding a certificate takes two look-ups.
 */
export class CertificateTable implements Certificates {
  readonly #ticketKeys: Buffer
  /** By PEM, so that an unchanged certificate stays the same object. */
  #all = new Map<string, LoadedCertificate>()
  #byName = new Map<string, LoadedCertificate>()
  #fallback: LoadedCertificate | undefined

  /** @param ticketKeys 48 bytes, the same on all edges that resume each other's sessions */
  constructor(ticketKeys: Buffer) {
    this.#ticketKeys = ticketKeys
  }

  find(serverName: string | undefined): EdgeCertificate | undefined {
    if (serverName === undefined) return this.#fallback
    const exact = this.#byName.get(serverName)
    if (exact !== undefined) return exact
    const dot = serverName.indexOf('.')
    return (dot < 0 ? undefined : this.#byName.get(`*${serverName.slice(dot)}`)) ?? this.#fallback
  }

  /**
   * @param pairs in order of precedence: the first certificate with a name has it
   * @param fallback a self-signed certificate, for names without a certificate and clients without SNI
   * @throws Error when a pair cannot be loaded; nothing changes then
   */
  replace(pairs: readonly CertificatePair[], fallback: CertificatePair): void {
    const all = new Map<string, LoadedCertificate>()
    const byName = new Map<string, LoadedCertificate>()
    for (const pair of pairs) {
      const loaded = this.#loaded(pair)
      all.set(pemOf(pair), loaded)
      for (const name of loaded.names) if (!byName.has(name)) byName.set(name, loaded)
    }
    const last = this.#loaded(fallback, true)
    all.set(pemOf(fallback), last)
    this.#all = all
    this.#byName = byName
    this.#fallback = last
  }

  #loaded(pair: CertificatePair, standsForAll = false): LoadedCertificate {
    return this.#all.get(pemOf(pair)) ?? new LoadedCertificate(pair, this.#ticketKeys, standsForAll)
  }
}

function pemOf({ certificate, key }: CertificatePair): string {
  return certificate + key
}

class LoadedCertificate implements EdgeCertificate {
  readonly names: readonly string[]
  readonly standsForAll: boolean
  readonly options: TlsOptions

  constructor({ certificate, key }: CertificatePair, ticketKeys: Buffer, standsForAll: boolean) {
    this.names = certificateNames(new X509Certificate(certificate))
    this.standsForAll = standsForAll
    this.options = {
      cert: certificate,
      key,
      ciphers,
      honorCipherOrder: true,
      ticketKeys,
      sessionIdContext: 'sluice',
    }
    // A key of another certificate fails here instead of in a handshake.
    createSecureContext(this.options)
  }
}

/** The DNS names and addresses that a certificate is for, in lower case (RFC 9525: the common name does not count). */
export function certificateNames({ subjectAltName = '' }: Pick<X509Certificate, 'subjectAltName'>): string[] {
  return subjectAltName
    .split(', ')
    .flatMap(entry => /^(?:DNS|IP Address):(.+)$/.exec(entry)?.[1]?.toLowerCase() ?? [])
}
