import type { InstantSession } from '../../model/resource.ts'
import type { Gate } from '../gate.ts'
import type { Store } from '../port.ts'
import type { InstantSessionRow } from '../schema.ts'
import { writeAudit } from './audit.ts'

export function instantQueries(gate: Gate): Store['instant'] {
  return {
    list: zoneId =>
      gate.read(async db => {
        const rows = await db
          .selectFrom('instant_sessions')
          .selectAll()
          .where('zone_id', '=', zoneId)
          .orderBy('created_on')
          .orderBy('id')
          .execute()
        return rows.map(sessionOf)
      }),
    get: id =>
      gate.read(async db => {
        const row = await db
          .selectFrom('instant_sessions')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirst()
        return row && sessionOf(row)
      }),
    insert: (session, audit) =>
      gate.write(async tx => {
        const { id, zoneId, createdOn, listenedOn, ...settings } = session
        await tx
          .insertInto('instant_sessions')
          .values({
            id,
            zone_id: zoneId,
            settings: JSON.stringify(settings),
            created_on: createdOn,
            listened_on: listenedOn,
          })
          .execute()
        await writeAudit(tx, audit)
      }),
    touch: (id, listenedOn) =>
      gate.write(async tx => {
        await tx
          .updateTable('instant_sessions')
          .set({ listened_on: listenedOn })
          .where('id', '=', id)
          .execute()
      }),
    delete: id =>
      gate.write(async tx => {
        await tx.deleteFrom('instant_sessions').where('id', '=', id).execute()
      }),
  }
}

function sessionOf(row: InstantSessionRow): InstantSession {
  return {
    id: row.id,
    zoneId: row.zone_id,
    ...(JSON.parse(row.settings) as Pick<InstantSession, 'fields' | 'filter' | 'sample'>),
    createdOn: row.created_on,
    listenedOn: row.listened_on,
  }
}
