import type { Session } from '../../../model/resource.ts'
import type { Store } from '../../port.ts'
import type { SessionRow } from '../../schema.ts'
import type { Transactions } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'

export function sessionQueries(transactions: Transactions): Store['sessions'] {
  return {
    byHash: hash =>
      transactions.read(async db => {
        const row = await db.selectFrom('sessions').selectAll().where('hash', '=', hash).executeTakeFirst()
        return row && sessionOf(row)
      }),
    ofUser: userId =>
      transactions.read(async db => {
        const rows = await db
          .selectFrom('sessions')
          .selectAll()
          .where('user_id', '=', userId)
          .orderBy('created_on', 'desc')
          .execute()
        return rows.map(sessionOf)
      }),
    insert: (session, audit) =>
      transactions.write('nothing', async tx => {
        await tx.deleteFrom('sessions').where('expires_on', '<', session.createdOn).execute()
        await tx.insertInto('sessions').values(rowOf(session)).execute()
        await writeAudit(tx, audit)
      }),
    touch: (id, at) =>
      transactions.write('nothing', async tx => {
        await tx.updateTable('sessions').set({ last_used_on: at }).where('id', '=', id).execute()
      }),
    delete: (userId, id, audit) =>
      transactions.write('nothing', async tx => {
        const { numDeletedRows } = await tx
          .deleteFrom('sessions')
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .executeTakeFirst()
        if (numDeletedRows === 0n) return false
        await writeAudit(tx, audit)
        return true
      }),
    deleteAll: (userId, except) =>
      transactions.write('nothing', async tx => {
        const query = tx.deleteFrom('sessions').where('user_id', '=', userId)
        await (except === undefined ? query : query.where('id', '!=', except)).execute()
      }),
  }
}

function rowOf(session: Session): SessionRow {
  return {
    id: session.id,
    hash: session.hash,
    user_id: session.userId,
    method: session.method,
    address: session.address,
    agent: JSON.stringify(session.agent),
    created_on: session.createdOn,
    last_used_on: session.lastUsedOn,
    expires_on: session.expiresOn,
  }
}

function sessionOf(row: SessionRow): Session {
  return {
    id: row.id,
    hash: row.hash,
    userId: row.user_id,
    method: row.method as Session['method'],
    address: row.address,
    agent: JSON.parse(row.agent) as string,
    createdOn: row.created_on,
    lastUsedOn: row.last_used_on,
    expiresOn: row.expires_on,
  }
}
