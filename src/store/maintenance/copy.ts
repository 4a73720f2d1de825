import type { Cipher } from '../../kit/cipher.ts'
import { migrate, requireMigrated, schemaOf } from '../migrations/migrate.ts'
import { StoreError } from '../port/error.ts'
import { checkSeal } from '../seal-check.ts'
import type { Row, Tx } from '../transactions.ts'
import type { Database } from './database.ts'
import { emptyTables, type TableName, tables } from './tables.ts'

/**
 * Copies everything, as it is at one moment, to an empty database, in one transaction there. Encrypted values stay as
 * they are, so both databases have the same key.
 * @returns the number of copied rows by table
 * @throws StoreError `conflict` when the other database is not empty; `unavailable` when one does not answer, or has
 *   another schema version or key
 */
export async function copyDatabase(
  from: Database,
  to: Database,
  cipher: Cipher,
): Promise<ReadonlyMap<TableName, number>> {
  await requireMigrated(from.transactions)
  await from.transactions.read(db => checkSeal(db, cipher))
  // Before the migration changes it.
  if ((await schemaOf(to.transactions)) > 0) await to.transactions.read(db => requireEmpty(db, ['accounts']))
  await migrate(to.transactions, cipher)
  return from.transactions.snapshot(source =>
    to.transactions.write('schema', async target => {
      await requireEmpty(target, emptyTables)
      for (const table of tables) await target.deleteFrom(table).execute()
      const counts = new Map<TableName, number>()
      for (const table of tables)
        counts.set(table, await copyTable(table, from.backend.maintenance.rows(source, table), target))
      return counts
    }),
  )
}

async function requireEmpty(db: Tx, ofThese: readonly TableName[]): Promise<void> {
  for (const table of ofThese)
    if ((await countOf(db, table)) > 0)
      throw new StoreError(
        'conflict',
        `the database to copy to is in use: its table ${table} has rows. Copy to an empty one`,
      )
}

async function copyTable(table: TableName, rows: AsyncIterable<readonly Row[]>, target: Tx): Promise<number> {
  let copied = 0
  for await (const part of rows) {
    await target
      .insertInto(table)
      .values(part as never)
      .execute()
    copied += part.length
  }
  const stored = await countOf(target, table)
  if (stored !== copied) throw new Error(`${copied} rows of ${table} were copied, and ${stored} arrived`)
  return copied
}

async function countOf(db: Tx, table: TableName): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
