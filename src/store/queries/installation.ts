import { sql } from 'kysely'
import type { Store } from '../port.ts'
import type { Transactions, Tx } from '../transactions.ts'

export function secretQueries(transactions: Transactions): Store['secrets'] {
  return {
    get: name => transactions.read(db => secretOf(db, name)),
    putOnce: (name, value) =>
      transactions.write('nothing', async tx => {
        await tx
          .insertInto('secrets')
          .values({ name, value })
          .onConflict(on => on.column('name').doNothing())
          .execute()
        return (await secretOf(tx, name)) ?? value
      }),
    put: (name, value) =>
      transactions.write('nothing', async tx => {
        await tx
          .insertInto('secrets')
          .values({ name, value })
          .onConflict(on => on.column('name').doUpdateSet({ value }))
          .execute()
      }),
  }
}

async function secretOf(db: Tx, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

export async function ping(transactions: Transactions): Promise<void> {
  await transactions.read(db => sql`select 1`.execute(db))
}
