import type { InstantSession } from '../../../model/resource.ts'
import type { Store } from '../../port.ts'
import type { InstantSessionRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'
import { requireBasis } from '../basis.ts'
import { zoneRow } from '../write-locks.ts'

export function instantQueries(transactions: Transactions): Store['instant'] {
  return {
    list: zoneId => transactions.read(db => sessionsOf(db, zoneId)),
    get: id =>
      transactions.read(async db => {
        const row = await db
          .selectFrom('instant_sessions')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirst()
        return row && sessionOf(row)
      }),
    insert: (session, audit, basis) =>
      transactions.write(zoneRow(session.zoneId), async tx => {
        const { id, zoneId, createdOn, listenedOn, ...settings } = session
        await requireBasis(basis, `the sessions of zone ${zoneId}`, async () =>
          (await sessionsOf(tx, zoneId)).map(one => one.id),
        )
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
      transactions.write('nothing', async tx => {
        await tx
          .updateTable('instant_sessions')
          .set({ listened_on: listenedOn })
          .where('id', '=', id)
          .execute()
      }),
    delete: (id, audit) =>
      transactions.write('nothing', async tx => {
        const { numDeletedRows } = await tx
          .deleteFrom('instant_sessions')
          .where('id', '=', id)
          .executeTakeFirst()
        if (numDeletedRows > 0n) await writeAudit(tx, audit)
      }),
  }
}

async function sessionsOf(db: Tx, zoneId: string): Promise<readonly InstantSession[]> {
  const rows = await db
    .selectFrom('instant_sessions')
    .selectAll()
    .where('zone_id', '=', zoneId)
    .orderBy('created_on')
    .orderBy('id')
    .execute()
  return rows.map(sessionOf)
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
