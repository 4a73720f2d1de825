import type { AuditEntry, Zone } from '../../model/resource.ts'
import type { Gate, Tx } from '../gate.ts'
import { type Store, StoreError } from '../port.ts'
import type { ZoneRow } from '../schema.ts'
import { writeAudit } from './audit.ts'
import { announce } from './changes.ts'

export function zoneQueries(gate: Gate): Store['zones'] {
  return {
    list: () =>
      gate.read(async db => {
        const rows = await db.selectFrom('zones').selectAll().orderBy('created_on').orderBy('id').execute()
        return rows.map(zoneOf)
      }),
    get: id =>
      gate.read(async db => {
        const row = await db.selectFrom('zones').selectAll().where('id', '=', id).executeTakeFirst()
        return row && zoneOf(row)
      }),
    byName: name =>
      gate.read(async db => {
        const row = await db.selectFrom('zones').selectAll().where('name', '=', name).executeTakeFirst()
        return row && zoneOf(row)
      }),
    insert: (zone, audit) =>
      gate.write(async tx => {
        await tx.insertInto('zones').values(rowOf(zone)).execute()
        await announce(tx, 'zone', zone.id)
        await writeAudit(tx, audit)
      }),
    update: (zone, audit) =>
      gate.write(async tx => {
        const { id, ...columns } = rowOf(zone)
        const result = await tx.updateTable('zones').set(columns).where('id', '=', id).executeTakeFirst()
        if (result.numUpdatedRows === 0n) throw new StoreError('stale', `zone ${id} is gone`)
        await announce(tx, 'zone', id)
        await writeAudit(tx, audit)
      }),
    delete: (id, audit) => gate.write(tx => deleteZone(tx, id, audit)),
  }
}

/** Rulesets, jobs and all else of a zone go with it by foreign key. */
async function deleteZone(tx: Tx, id: string, audit: AuditEntry | undefined): Promise<boolean> {
  const job = await tx.selectFrom('jobs').select('id').where('zone_id', '=', id).limit(1).executeTakeFirst()
  const result = await tx.deleteFrom('zones').where('id', '=', id).executeTakeFirst()
  if (result.numDeletedRows === 0n) return false
  await announce(tx, 'zone', id)
  if (job !== undefined) await announce(tx, 'logpush', id)
  await writeAudit(tx, audit)
  return true
}

function rowOf(zone: Zone): ZoneRow {
  return {
    id: zone.id,
    account_id: zone.accountId,
    name: zone.name,
    origin_url: zone.originUrl,
    paused: zone.paused ? 1 : 0,
    created_on: zone.createdOn,
    modified_on: zone.modifiedOn,
  }
}

function zoneOf(row: ZoneRow): Zone {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    originUrl: row.origin_url,
    paused: row.paused === 1,
    createdOn: row.created_on,
    modifiedOn: row.modified_on,
  }
}
