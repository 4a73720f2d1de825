import type { Gate } from '../gate.ts'
import type { Store } from '../port.ts'
import { writeAudit } from './audit.ts'
import { announce } from './changes.ts'

export function retentionQueries(gate: Gate): Store['retention'] {
  return {
    get: zoneId =>
      gate.read(async db => {
        const row = await db
          .selectFrom('logpull_zones')
          .select('zone_id')
          .where('zone_id', '=', zoneId)
          .executeTakeFirst()
        return row !== undefined
      }),
    set: (zoneId, flag, audit) =>
      gate.write(async tx => {
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
