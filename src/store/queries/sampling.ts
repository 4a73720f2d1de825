import type { Gate } from '../gate.ts'
import type { Store } from '../port.ts'
import type { WhatIfSamplingRow } from '../schema.ts'
import { writeAudit } from './audit.ts'
import { announce } from './changes.ts'

const millionths = 1_000_000

export function samplingQueries(gate: Gate): Store['sampling'] {
  return {
    get: zoneId =>
      gate.read(async db => {
        const row = await db
          .selectFrom('what_if_sampling')
          .selectAll()
          .where('zone_id', '=', zoneId)
          .executeTakeFirst()
        return row && sampleRateOf(row)
      }),
    put: (zoneId, share, audit) =>
      gate.write(async tx => {
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

export function sampleRateOf({ rate }: WhatIfSamplingRow): number {
  return rate / millionths
}
