import type { DnsRecord } from '../../../model/dns-record.ts'
import type { Store } from '../../port.ts'
import type { DnsRecordRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'
import { requireBasis } from '../basis.ts'
import { announce } from '../changes.ts'
import { parts } from '../parts.ts'
import { zoneRow } from '../write-locks.ts'

export function dnsRecordQueries(transactions: Transactions): Store['dnsRecords'] {
  return {
    list: zoneId => transactions.read(db => stored(db, zoneId)),
    change: (zoneId, { deleted, stored: records }, audit, basis) =>
      transactions.write(zoneRow(zoneId), async tx => {
        await requireBasis(basis, `the DNS records of zone ${zoneId}`, () => stored(tx, zoneId))
        const replaced = [...deleted, ...records.map(({ id }) => id)]
        for (const ids of parts(replaced))
          await tx.deleteFrom('dns_records').where('zone_id', '=', zoneId).where('id', 'in', ids).execute()
        for (const part of parts(records))
          await tx.insertInto('dns_records').values(part.map(rowOf)).execute()
        await announce(tx, 'zone', zoneId)
        await writeAudit(tx, audit)
      }),
  }
}

async function stored(db: Tx, zoneId: string): Promise<readonly DnsRecord[]> {
  const rows = await db.selectFrom('dns_records').selectAll().where('zone_id', '=', zoneId).execute()
  return rows.map(dnsRecordOf).sort(inOrder)
}

function inOrder(a: DnsRecord, b: DnsRecord): number {
  return (
    compared(a.type, b.type) ||
    compared(a.name, b.name) ||
    compared(a.content, b.content) ||
    compared(a.id, b.id)
  )
}

function compared(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function dnsRecordOf({ zone_id: zoneId, id, type, document }: DnsRecordRow): DnsRecord {
  return { ...JSON.parse(document), zoneId, id, type }
}

function rowOf({ zoneId, id, type, ...document }: DnsRecord): DnsRecordRow {
  return { zone_id: zoneId, id, type, document: JSON.stringify(document) }
}
