import type { KeyedOriginCertificate } from './origin-certificate.ts'

/** Certificates for connections to a zone's origins. */
export interface OriginTls {
  /** Connections with other certificates have another id. */
  readonly id: string
  /** PEM. Origins must have a certificate from one of them, or be one of them; none: the authorities of the system count. */
  readonly authorities: readonly string[]
  /** PEM. */
  readonly client: { readonly certificate: string; readonly key: string } | undefined
}

/**
 * The TLS of a zone with its origins.
 * @param certificates oldest first; the newest client certificate is used
 * @param usesClient client certificates are switched on
 * @returns undefined when nothing differs from the defaults
 */
export function originTlsOf(
  certificates: readonly KeyedOriginCertificate[],
  usesClient: boolean,
): OriginTls | undefined {
  const authorities = certificates.filter(({ kind }) => kind === 'authority')
  const client = usesClient
    ? certificates.findLast(({ kind, key }) => kind === 'client' && key !== undefined)
    : undefined
  if (authorities.length === 0 && client === undefined) return undefined
  return {
    id: [client?.id ?? '', ...authorities.map(({ id }) => id)].join(' '),
    authorities: authorities.map(({ certificate }) => certificate),
    client: client && { certificate: client.certificate, key: client.key! },
  }
}
