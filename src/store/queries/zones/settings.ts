import type { Json } from '../../../model/resource.ts'
import type { StoredZoneSetting } from '../../../model/zone-settings.ts'
import type { Store } from '../../port.ts'
import type { ZoneSettingRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'
import { requireBasis } from '../basis.ts'
import { announce } from '../changes.ts'
import { zoneRow } from '../write-locks.ts'

export function zoneSettingQueries(transactions: Transactions): Store['zoneSettings'] {
  return {
    list: zoneId => transactions.read(db => stored(db, zoneId)),
    put: (zoneId, settings, audit, basis) =>
      transactions.write(zoneRow(zoneId), async tx => {
        await requireBasis(basis, `the settings of zone ${zoneId}`, () => stored(tx, zoneId))
        for (const { id, value, modifiedOn } of settings) {
          const row = { value: JSON.stringify(value), modified_on: modifiedOn }
          await tx
            .insertInto('zone_settings')
            .values({ zone_id: zoneId, id, ...row })
            .onConflict(on => on.columns(['zone_id', 'id']).doUpdateSet(row))
            .execute()
        }
        await announce(tx, 'zone', zoneId)
        await writeAudit(tx, audit)
      }),
    delete: (zoneId, ids, audit, basis) =>
      transactions.write(zoneRow(zoneId), async tx => {
        await requireBasis(basis, `the settings of zone ${zoneId}`, () => stored(tx, zoneId))
        await tx.deleteFrom('zone_settings').where('zone_id', '=', zoneId).where('id', 'in', ids).execute()
        await announce(tx, 'zone', zoneId)
        await writeAudit(tx, audit)
      }),
  }
}

async function stored(db: Tx, zoneId: string): Promise<readonly StoredZoneSetting[]> {
  const rows = await db
    .selectFrom('zone_settings')
    .selectAll()
    .where('zone_id', '=', zoneId)
    .orderBy('id')
    .execute()
  return rows.map(zoneSettingOf)
}

export function zoneSettingOf({ id, value, modified_on: modifiedOn }: ZoneSettingRow): StoredZoneSetting {
  return { id, value: JSON.parse(value) as Json, modifiedOn }
}
