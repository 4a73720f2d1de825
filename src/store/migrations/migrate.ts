import { sql } from 'kysely'
import type { Cipher } from '../../kit/cipher.ts'
import { systemClock, timestampOf } from '../../kit/clock.ts'
import { StoreError } from '../port/error.ts'
import type { Transactions, Tx } from '../transactions.ts'
import { migrations } from './list.ts'

/** Number of the newest migration. */
export const schemaNumber = migrations.length

/**
 * Brings the schema up to date in one transaction with the schema lock. When several processes open an empty database
 * at once, one builds the schema and the others find it complete.
 * @throws StoreError `unavailable` when a newer program has migrated the database
 */
export async function migrate(transactions: Transactions, cipher: Cipher): Promise<void> {
  await transactions.write('schema', async tx => {
    await sql`create table if not exists schema_migrations (
      number integer primary key, name text not null, applied_on text not null)`.execute(tx)
    const applied = await appliedNumber(tx)
    refuseNewer(applied)
    for (const migration of migrations.slice(applied)) {
      await migration.up(tx, cipher)
      await tx
        .insertInto('schema_migrations')
        .values({
          number: migration.number,
          name: migration.name,
          applied_on: timestampOf(systemClock.nowMs()),
        })
        .execute()
    }
  })
}

/** @throws StoreError `unavailable` when the schema differs from this program's */
export async function requireMigrated(transactions: Transactions): Promise<void> {
  const applied = await transactions.read(appliedNumber).catch((error: unknown) => {
    if (error instanceof StoreError) throw error
    throw notMigrated(0, error)
  })
  refuseNewer(applied)
  if (applied < migrations.length) throw notMigrated(applied)
}

async function appliedNumber(db: Tx): Promise<number> {
  const row = await db
    .selectFrom('schema_migrations')
    .select(eb => eb.fn.max('number').as('number'))
    .executeTakeFirst()
  return row?.number ?? 0
}

function refuseNewer(applied: number): void {
  if (applied > migrations.length) {
    throw new StoreError(
      'unavailable',
      `the database is at schema ${applied}, this program knows ${migrations.length}: run a newer program`,
    )
  }
}

function notMigrated(applied: number, cause?: unknown): StoreError {
  return new StoreError(
    'unavailable',
    `the database is at schema ${applied} of ${migrations.length}: start Sluice with the control role, or run \`npx sluice db migrate\``,
    { cause },
  )
}
