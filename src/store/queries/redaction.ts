import type { Redaction } from '../../model/resource.ts'
import type { Gate } from '../gate.ts'
import type { Store } from '../port.ts'
import type { RedactionRow } from '../schema.ts'
import { writeAudit } from './audit.ts'
import { announce } from './changes.ts'

export function redactionQueries(gate: Gate): Store['redaction'] {
  return {
    get: zoneId =>
      gate.read(async db => {
        const row = await db
          .selectFrom('redactions')
          .selectAll()
          .where('zone_id', '=', zoneId)
          .executeTakeFirst()
        return row && redactionOf(row)
      }),
    put: (zoneId, redaction, audit) =>
      gate.write(async tx => {
        const document = JSON.stringify(redaction)
        await tx
          .insertInto('redactions')
          .values({ zone_id: zoneId, document })
          .onConflict(on => on.column('zone_id').doUpdateSet({ document }))
          .execute()
        await announce(tx, 'zone', zoneId)
        await writeAudit(tx, audit)
      }),
  }
}

export function redactionOf(row: RedactionRow): Redaction {
  return JSON.parse(row.document) as Redaction
}
