import type { Store } from '../../port.ts'
import type { WhatIfSamplingRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'
import { requireBasis } from '../basis.ts'
import { announce } from '../changes.ts'
import { zoneRow } from '../write-locks.ts'

const millionths = 1_000_000

export function samplingQueries(transactions: Transactions): Store['sampling'] {
  return {
    get: zoneId => transactions.read(db => stored(db, zoneId)),
    put: (zoneId, share, audit, basis) =>
      transactions.write(zoneRow(zoneId), async tx => {
        await requireBasis(basis, `the sampling of zone ${zoneId}`, () => stored(tx, zoneId))
        const rate = Math.round(share * millionths)
        await tx
          .insertInto('what_if_sampling')
          .values({ zone_id: zoneId, rate })
          .onConflict(on => on.column('zone_id').doUpdateSet({ rate }))
          .execute()
        await announce(tx, 'zone', zoneId)
        await writeAudit(tx, audit)
      }),
  }
}

async function stored(db: Tx, zoneId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('what_if_sampling')
    .selectAll()
    .where('zone_id', '=', zoneId)
    .executeTakeFirst()
  return row && sampleRateOf(row)
}

export function sampleRateOf({ rate }: WhatIfSamplingRow): number {
  return rate / millionths
}
