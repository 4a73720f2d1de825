import type { Account } from '../../model/resource.ts'
import type { Gate } from '../gate.ts'
import type { Store } from '../port.ts'
import type { AccountRow } from '../schema.ts'
import { announce } from './changes.ts'

export function accountQueries(gate: Gate): Store['accounts'] {
  return {
    list: () =>
      gate.read(async db => {
        const rows = await db.selectFrom('accounts').selectAll().orderBy('created_on').orderBy('id').execute()
        return rows.map(accountOf)
      }),
    get: id =>
      gate.read(async db => {
        const row = await db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()
        return row && accountOf(row)
      }),
    insert: account =>
      gate.write(async tx => {
        await tx
          .insertInto('accounts')
          .values({ id: account.id, name: JSON.stringify(account.name), created_on: account.createdOn })
          .execute()
        await announce(tx, 'account', account.id)
      }),
  }
}

function accountOf(row: AccountRow): Account {
  return { id: row.id, name: JSON.parse(row.name) as string, createdOn: row.created_on }
}
