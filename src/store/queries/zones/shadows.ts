import type { Shadow } from '../../../model/resource.ts'
import type { Store } from '../../port.ts'
import type { ShadowRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'
import { requireBasis } from '../basis.ts'
import { announce } from '../changes.ts'
import { zoneRow } from '../write-locks.ts'

export function shadowQueries(transactions: Transactions): Store['shadows'] {
  return {
    get: zoneId => transactions.read(db => stored(db, zoneId)),
    put: ({ zoneId, ...document }, audit, basis) =>
      transactions.write(zoneRow(zoneId), async tx => {
        await requireBasis(basis, `the shadow of zone ${zoneId}`, () => stored(tx, zoneId))
        const row = { zone_id: zoneId, document: JSON.stringify(document) }
        await tx
          .insertInto('shadows')
          .values(row)
          .onConflict(on => on.column('zone_id').doUpdateSet({ document: row.document }))
          .execute()
        await announce(tx, 'zone', zoneId)
        await writeAudit(tx, audit)
      }),
    delete: (zoneId, audit, basis) =>
      transactions.write(zoneRow(zoneId), async tx => {
        await requireBasis(basis, `the shadow of zone ${zoneId}`, () => stored(tx, zoneId))
        const result = await tx.deleteFrom('shadows').where('zone_id', '=', zoneId).executeTakeFirst()
        if (result.numDeletedRows === 0n) return false
        await announce(tx, 'zone', zoneId)
        await writeAudit(tx, audit)
        return true
      }),
  }
}

async function stored(db: Tx, zoneId: string): Promise<Shadow | undefined> {
  const row = await db.selectFrom('shadows').selectAll().where('zone_id', '=', zoneId).executeTakeFirst()
  return row && shadowOf(row)
}

export function shadowOf({ zone_id: zoneId, document }: ShadowRow): Shadow {
  return { zoneId, ...(JSON.parse(document) as Omit<Shadow, 'zoneId'>) }
}
