import type { Store } from '../../port.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'
import { requireBasis } from '../basis.ts'
import { announce } from '../changes.ts'
import { zoneRow } from '../write-locks.ts'

export function retentionQueries(transactions: Transactions): Store['retention'] {
  return {
    get: zoneId => transactions.read(db => stored(db, zoneId)),
    set: (zoneId, flag, audit, basis) =>
      transactions.write(zoneRow(zoneId), async tx => {
        await requireBasis(basis, `the retention flag of zone ${zoneId}`, () => stored(tx, zoneId))
        if (flag) {
          await tx
            .insertInto('logpull_zones')
            .values({ zone_id: zoneId })
            .onConflict(on => on.column('zone_id').doNothing())
            .execute()
        } else {
          await tx.deleteFrom('logpull_zones').where('zone_id', '=', zoneId).execute()
        }
        await announce(tx, 'logpush', zoneId)
        await writeAudit(tx, audit)
      }),
  }
}

async function stored(db: Tx, zoneId: string): Promise<boolean> {
  const row = await db
    .selectFrom('logpull_zones')
    .select('zone_id')
    .where('zone_id', '=', zoneId)
    .executeTakeFirst()
  return row !== undefined
}
