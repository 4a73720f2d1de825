import { type CertificateFacts, pemFacts } from '../../kit/certificates.ts'
import type { CertificateReport } from '../../model/certificate.ts'
import { edgeCiphers } from '../../model/zone-settings.ts'
import { reportOf } from './certificate-report.ts'
import type { Certificates, EdgeCertificate } from './certificates.ts'
import { cipherList } from './ciphers.ts'
import { tlsLimits } from './limits.ts'

/** A certificate with its chain and key, in PEM. */
export interface CertificatePair {
  readonly certificate: string
  readonly key: string
}

/** A certificate of the table. */
export interface NamedCertificate extends CertificatePair {
  /** Host names, in lower case; `*.example.com` for one label. */
  readonly names: readonly string[]
  /** The zone that it belongs to: it serves only names whose nearest zone this is. Absent: all its names. */
  readonly zoneName?: string
  readonly source: CertificateReport['source']
  /** Milliseconds since the Unix epoch. */
  readonly expiresMs: number
}

export interface CertificateTableOptions {
  /** Now by default. */
  readonly nowMs?: () => number
  /** Absent: no OCSP responses. */
  readonly staples?: Staples
  /** The name of the nearest zone of a host name in lower case, which may begin with `*.`. Absent: there are no zones. */
  readonly nearestZone?: (name: string) => string | undefined
}

/**
 * The certificates of an edge, by name. `replace` swaps all of them at once; connections in progress are not touched.
 * Finding a certificate takes two look-ups, and one of the zone. A name has its own certificate before one with a wildcard, and one that
 * has not expired before one that has.
 */
export class CertificateTable implements Certificates {
  readonly #ticketKeys: Buffer
  readonly #nowMs: () => number
  readonly #staples: Staples | undefined
  readonly #nearestZone: (name: string) => string | undefined
  /** By PEM, so that an unchanged certificate stays the same object. */
  #all = new Map<string, LoadedCertificate>()
  #byName = new Map<string, LoadedCertificate[]>()
  #fallback: LoadedCertificate | undefined
  /** Read when they are first reported. */
  readonly #facts = new WeakMap<LoadedCertificate, CertificateFacts>()

  /** @param ticketKeys 48 bytes, the same on all edges that resume each other's sessions */
  constructor(ticketKeys: Buffer, options: CertificateTableOptions = {}) {
    this.#ticketKeys = ticketKeys
    this.#staples = options.staples
    this.#nowMs = options.nowMs ?? Date.now
    this.#nearestZone = options.nearestZone ?? (() => undefined)
  }

  find(serverName: string | undefined): EdgeCertificate | undefined {
    return (serverName === undefined ? undefined : this.#named(serverName)) ?? this.#fallback
  }

  /**
   * The certificates that clients get, without the self-signed one: the first to expire first, up to a limit.
   * @param zoneName only for names whose nearest zone this is
   */
  served(zoneName?: string): readonly CertificateReport[] {
    const hosts = new Map<LoadedCertificate, string[]>()
    for (const [name, certificates] of this.#byName) {
      const nearest = this.#nearestZone(name)
      if (zoneName !== undefined && nearest !== zoneName) continue
      // A name that only other zones' certificates state is no name of this zone.
      if (ofZone(certificates, nearest) === undefined) continue
      const certificate = this.#named(name)!
      const others = hosts.get(certificate)
      if (others === undefined) hosts.set(certificate, [name])
      else others.push(name)
    }
    const nowMs = this.#nowMs()
    return [...hosts]
      .sort(([a], [b]) => a.expiresMs - b.expiresMs)
      .slice(0, tlsLimits.reportedCertificatesMax)
      .map(([certificate, names]) => reportOf(this.#factsOf(certificate), names, certificate.source, nowMs))
  }

  #factsOf(certificate: LoadedCertificate): CertificateFacts {
    let facts = this.#facts.get(certificate)
    if (facts === undefined) {
      facts = pemFacts(certificate.options.cert as string)
      this.#facts.set(certificate, facts)
    }
    return facts
  }

  #named(serverName: string): LoadedCertificate | undefined {
    const zoneName = this.#nearestZone(serverName)
    const exact = ofZone(this.#byName.get(serverName), zoneName)
    const dot = serverName.indexOf('.')
    const wildcard = dot < 0 ? undefined : ofZone(this.#byName.get(`*${serverName.slice(dot)}`), zoneName)
    return this.#valid(exact) ?? this.#valid(wildcard) ?? exact?.[0] ?? wildcard?.[0]
  }

  /**
   * @param certificates usable ones, in order of precedence: the first certificate with a name has it
   * @param fallback a self-signed certificate, for names without a certificate and clients without SNI
   */
  replace(certificates: readonly NamedCertificate[], fallback: CertificatePair): void {
    this.#staples?.use(certificates.map(({ certificate }) => certificate))
    const all = new Map<string, LoadedCertificate>()
    const byName = new Map<string, LoadedCertificate[]>()
    for (const one of certificates) {
      const loaded = this.#loaded(one, one, false)
      all.set(keyOf(one, one), loaded)
      for (const name of one.names) {
        const others = byName.get(name)
        if (others === undefined) byName.set(name, [loaded])
        else others.push(loaded)
      }
    }
    const last = this.#loaded(fallback, { names: [], source: 'file', expiresMs: Infinity }, true)
    all.set(keyOf(fallback, { names: [] }), last)
    this.#all = all
    this.#byName = byName
    this.#fallback = last
  }

  #valid(certificates: readonly LoadedCertificate[] | undefined): LoadedCertificate | undefined {
    if (certificates === undefined) return undefined
    const nowMs = this.#nowMs()
    return certificates.find(({ expiresMs }) => expiresMs > nowMs)
  }

  #stapleOf(pem: string): EdgeCertificate['staple'] {
    const staples = this.#staples
    return staples?.serves(pem) === true ? () => staples.of(pem) : undefined
  }

  #loaded(
    pair: CertificatePair,
    named: Omit<NamedCertificate, keyof CertificatePair>,
    standsForAll: boolean,
  ): LoadedCertificate {
    return (
      this.#all.get(keyOf(pair, named)) ?? {
        names: named.names,
        zoneName: named.zoneName,
        source: named.source,
        expiresMs: named.expiresMs,
        standsForAll,
        staple: this.#stapleOf(pair.certificate),
        // The listener makes a context of OpenSSL of them when the first client asks for the certificate.
        options: {
          cert: pair.certificate,
          key: pair.key,
          ciphers: cipherList(edgeCiphers),
          honorCipherOrder: true,
          ticketKeys: this.#ticketKeys,
          sessionIdContext: 'sluice',
        },
      }
    )
  }
}

/** OCSP responses, by the PEM of certificates. */
export interface Staples {
  /** Replaces the certificates. */
  use(pems: readonly string[]): void
  /** Whether the certificate ever gets a response. */
  serves(pem: string): boolean
  /** Gets the response in DER, or undefined before the responder has sent one. */
  of(pem: string): Promise<Buffer | undefined>
}

interface LoadedCertificate extends EdgeCertificate {
  readonly zoneName: string | undefined
  readonly source: NamedCertificate['source']
  readonly expiresMs: number
}

function keyOf(
  { certificate, key }: CertificatePair,
  { names, zoneName }: Pick<NamedCertificate, 'names' | 'zoneName'>,
): string {
  return `${certificate}${key}${names} ${zoneName}`
}

/** The certificates that may serve names of the zone. @returns undefined if there are none */
function ofZone(
  certificates: readonly LoadedCertificate[] | undefined,
  zoneName: string | undefined,
): readonly LoadedCertificate[] | undefined {
  const own = certificates?.filter(one => one.zoneName === undefined || one.zoneName === zoneName)
  return own?.length === 0 ? undefined : own
}

/** A pair of files, with the names that its certificate states. @throws Error when it cannot be read */
export function namedCertificate(pair: CertificatePair): NamedCertificate {
  const { hosts, expiresMs } = pemFacts(pair.certificate)
  return { ...pair, names: hosts, source: 'file', expiresMs }
}
