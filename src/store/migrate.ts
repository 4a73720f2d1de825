import { sql } from 'kysely'
import type { Cipher } from '../kit/cipher.ts'
import { systemClock, timestampOf } from '../kit/clock.ts'
import type { Gate, Tx } from './gate.ts'
import { migrations } from './migrations/list.ts'
import { StoreError } from './port.ts'

/**
 * Brings the schema up to date in one transaction under the writers' lock: of several processes that open
 * an empty database at once, one builds it and the others find it built.
 * @throws StoreError `unavailable` when a newer program has been here
 */
export async function migrate(gate: Gate, cipher: Cipher): Promise<void> {
  await gate.write(async tx => {
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

/** @throws StoreError `unavailable` when the schema is not the one this program knows */
export async function requireMigrated(gate: Gate): Promise<void> {
  const applied = await gate.read(appliedNumber).catch((error: unknown) => {
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
    `the database is at schema ${applied} of ${migrations.length}: the control role brings it up to date`,
    { cause },
  )
}
