import { sql } from 'kysely'
import type { Gate, Tx } from '../gate.ts'
import type { Store } from '../port.ts'

export function secretQueries(gate: Gate): Store['secrets'] {
  return {
    get: name => gate.read(db => secretOf(db, name)),
    putOnce: (name, value) =>
      gate.write(async tx => {
        await tx
          .insertInto('secrets')
          .values({ name, value })
          .onConflict(on => on.column('name').doNothing())
          .execute()
        return (await secretOf(tx, name)) ?? value
      }),
  }
}

async function secretOf(db: Tx, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

export async function ping(gate: Gate): Promise<void> {
  await gate.read(db => sql`select 1`.execute(db))
}
