import type { Account } from '../../model/resource.ts'
import type { Store } from '../port.ts'
import type { AccountRow } from '../schema.ts'
import type { Transactions } from '../transactions.ts'
import { writeAudit } from './audit.ts'
import { announce } from './changes.ts'
import { memberRow } from './people/rows.ts'

export function accountQueries(transactions: Transactions): Store['accounts'] {
  return {
    list: () =>
      transactions.read(async db => {
        const rows = await db.selectFrom('accounts').selectAll().orderBy('created_on').orderBy('id').execute()
        return rows.map(accountOf)
      }),
    get: id =>
      transactions.read(async db => {
        const row = await db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()
        return row && accountOf(row)
      }),
    // Nothing follows the name: no change entry.
    rename: (id, name, audit) =>
      transactions.write('nothing', async tx => {
        await tx
          .updateTable('accounts')
          .set({ name: JSON.stringify(name) })
          .where('id', '=', id)
          .execute()
        await writeAudit(tx, audit)
      }),
    insert: (account, audit, member) =>
      transactions.write('nothing', async tx => {
        await tx
          .insertInto('accounts')
          .values({ id: account.id, name: JSON.stringify(account.name), created_on: account.createdOn })
          .execute()
        if (member !== undefined) await tx.insertInto('members').values(memberRow(member)).execute()
        await announce(tx, 'account', account.id)
        await writeAudit(tx, audit)
      }),
  }
}

function accountOf(row: AccountRow): Account {
  return { id: row.id, name: JSON.parse(row.name) as string, createdOn: row.created_on }
}
