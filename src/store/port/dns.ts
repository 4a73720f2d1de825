import type { DnsRecord } from '../../model/dns-record.ts'
import type { AuditEntry } from '../../model/resource.ts'
import type { Basis } from './basis.ts'

export interface DnsRecordChange {
  /** Ids. */
  readonly deleted: readonly string[]
  /** New records, and changed ones as a whole. */
  readonly stored: readonly DnsRecord[]
}

export interface DnsRecordStore {
  /** By type, name, content and id. */
  list(zoneId: string): Promise<readonly DnsRecord[]>
  /**
   * Deletes and stores records of a zone in one transaction.
   * @throws StoreError `conflict` when there is no such zone, `stale` when the stored records differ from the basis
   */
  change(
    zoneId: string,
    change: DnsRecordChange,
    audit?: AuditEntry,
    basis?: Basis<readonly DnsRecord[]>,
  ): Promise<void>
}
