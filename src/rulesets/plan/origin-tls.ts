import type { KeyedOriginCertificate } from '../../model/origin-certificate.ts'
import type { OriginTls } from './plan.ts'

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
