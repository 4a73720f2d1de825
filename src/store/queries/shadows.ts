import type { Shadow } from '../../model/resource.ts'
import type { Gate } from '../gate.ts'
import type { Store } from '../port.ts'
import type { ShadowRow } from '../schema.ts'
import { writeAudit } from './audit.ts'
import { announce } from './changes.ts'

export function shadowQueries(gate: Gate): Store['shadows'] {
  return {
    get: zoneId =>
      gate.read(async db => {
        const row = await db
          .selectFrom('shadows')
          .selectAll()
          .where('zone_id', '=', zoneId)
          .executeTakeFirst()
        return row && shadowOf(row)
      }),
    put: ({ zoneId, ...document }, audit) =>
      gate.write(async tx => {
        const row = { zone_id: zoneId, document: JSON.stringify(document) }
        await tx
          .insertInto('shadows')
          .values(row)
          .onConflict(on => on.column('zone_id').doUpdateSet({ document: row.document }))
          .execute()
        await announce(tx, 'zone', zoneId)
        await writeAudit(tx, audit)
      }),
    delete: (zoneId, audit) =>
      gate.write(async tx => {
        const result = await tx.deleteFrom('shadows').where('zone_id', '=', zoneId).executeTakeFirst()
        if (result.numDeletedRows === 0n) return false
        await announce(tx, 'zone', zoneId)
        await writeAudit(tx, audit)
        return true
      }),
  }
}

export function shadowOf({ zone_id: zoneId, document }: ShadowRow): Shadow {
  return { zoneId, ...(JSON.parse(document) as Omit<Shadow, 'zoneId'>) }
}
