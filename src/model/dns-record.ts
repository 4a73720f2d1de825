import type { JsonObject } from './resource.ts'

/** @source Cloudflare API, DNS records */
export const dnsRecordTypes = [
  'A',
  'AAAA',
  'CAA',
  'CERT',
  'CNAME',
  'DNSKEY',
  'DS',
  'HTTPS',
  'LOC',
  'MX',
  'NAPTR',
  'NS',
  'OPENPGPKEY',
  'PTR',
  'SMIMEA',
  'SRV',
  'SSHFP',
  'SVCB',
  'TLSA',
  'TXT',
  'URI',
] as const
export type DnsRecordType = (typeof dnsRecordTypes)[number]

/**
 * Whether no name has records of both types.
 * @source Cloudflare API: CNAME is alone beside A and AAAA, NS beside everything
 */
export function areExclusive(type: DnsRecordType, other: DnsRecordType): boolean {
  return excludes(type, other) || excludes(other, type)
}

function excludes(type: DnsRecordType, other: DnsRecordType): boolean {
  if (type === 'CNAME') return other === 'A' || other === 'AAAA' || other === 'CNAME'
  return type === 'NS' && other !== 'NS'
}

/** Types whose records can lead to servers of a site. */
export const addressTypes = ['A', 'AAAA', 'CNAME'] as const satisfies readonly DnsRecordType[]

/**
 * A DNS record of a zone. Proxied records of the address types decide the origin of a host name; the others are kept
 * for the clients of the API.
 */
export interface DnsRecord {
  readonly id: string
  readonly zoneId: string
  /** Complete, in lower-case ASCII; `*` as its first label stands for all names below. */
  readonly name: string
  readonly type: DnsRecordType
  /** The data of the record as in a zone file, without its priority. */
  readonly content: string
  /** Seconds; 1 is automatic. */
  readonly ttl: number
  readonly proxied: boolean
  /** Of MX, SRV and URI. */
  readonly priority?: number
  /** The parts of the content, for types that have several. */
  readonly data?: JsonObject
  readonly settings: JsonObject
  readonly privateRouting?: boolean
  readonly comment: string | null
  readonly tags: readonly string[]
  /** ISO 8601, UTC. */
  readonly createdOn: string
  readonly modifiedOn: string
  readonly commentModifiedOn?: string
  readonly tagsModifiedOn?: string
}
