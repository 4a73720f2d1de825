import type { AuditEntry, Zone } from '../../../model/resource.ts'
import type { Revised } from '../../port/basis.ts'
import { StoreError } from '../../port/error.ts'
import type { Store } from '../../port.ts'
import type { ZoneRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'
import { announce } from '../changes.ts'
import { zoneRow } from '../write-locks.ts'

export function zoneQueries(transactions: Transactions): Store['zones'] {
  return {
    list: () =>
      transactions.read(async db => {
        const rows = await db.selectFrom('zones').selectAll().orderBy('created_on').orderBy('id').execute()
        return rows.map(zoneOf)
      }),
    get: id =>
      transactions.read(async db => {
        const row = await db.selectFrom('zones').selectAll().where('id', '=', id).executeTakeFirst()
        return row && zoneOf(row)
      }),
    byName: name =>
      transactions.read(async db => {
        const row = await db.selectFrom('zones').selectAll().where('name', '=', name).executeTakeFirst()
        return row && zoneOf(row)
      }),
    insert: (zone, audit) =>
      transactions.write('nothing', async tx => {
        await tx
          .insertInto('zones')
          .values({ ...rowOf(zone), revision: 1 })
          .execute()
        await announce(tx, 'zone', zone.id)
        await writeAudit(tx, audit)
      }),
    update: (zone, audit) =>
      transactions.write('nothing', async tx => {
        const { id, ...columns } = rowOf(zone)
        const { numUpdatedRows } = await tx
          .updateTable('zones')
          .set({ ...columns, revision: zone.revision + 1 })
          .where('id', '=', id)
          .where('revision', '=', zone.revision)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) throw staleZone(id, zone.revision)
        await announce(tx, 'zone', id)
        await writeAudit(tx, audit)
      }),
    delete: (id, audit, revision) =>
      transactions.write(zoneRow(id), tx => deleteZone(tx, id, audit, revision)),
  }
}

/** Foreign keys delete the zone's rulesets, jobs and other resources. */
async function deleteZone(
  tx: Tx,
  id: string,
  audit: AuditEntry | undefined,
  revision: number | undefined,
): Promise<boolean> {
  const job = await tx.selectFrom('jobs').select('id').where('zone_id', '=', id).limit(1).executeTakeFirst()
  const certificate = await tx
    .selectFrom('certificates')
    .select('id')
    .where('zone_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  let query = tx.deleteFrom('zones').where('id', '=', id)
  if (revision !== undefined) query = query.where('revision', '=', revision)
  const { numDeletedRows } = await query.executeTakeFirst()
  if (numDeletedRows === 0n && revision !== undefined) throw staleZone(id, revision)
  if (numDeletedRows === 0n) return false
  await announce(tx, 'zone', id)
  if (job !== undefined) await announce(tx, 'logpush', id)
  if (certificate !== undefined) await announce(tx, 'certificates', id)
  await writeAudit(tx, audit)
  return true
}

function staleZone(id: string, revision: number): StoreError {
  return new StoreError('stale', `zone ${id} is not at revision ${revision} any more`)
}

function rowOf(zone: Zone): Omit<ZoneRow, 'revision'> {
  return {
    id: zone.id,
    account_id: zone.accountId,
    name: zone.name,
    origin_url: zone.originUrl ?? '',
    paused: zone.paused ? 1 : 0,
    type: zone.type,
    created_on: zone.createdOn,
    modified_on: zone.modifiedOn,
  }
}

function zoneOf(row: ZoneRow): Revised<Zone> {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    originUrl: row.origin_url === '' ? undefined : row.origin_url,
    paused: row.paused === 1,
    type: row.type,
    createdOn: row.created_on,
    modifiedOn: row.modified_on,
    revision: row.revision,
  }
}
