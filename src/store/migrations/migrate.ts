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
 * @throws StoreError `newer` when a newer program has migrated the database
 */
export async function migrate(transactions: Transactions, cipher: Cipher): Promise<void> {
  await transactions.write('schema', async tx => {
    await sql`create table if not exists schema_migrations (
      number integer primary key, name text not null, applied_on text not null)`.execute(tx)
    const applied = await appliedNumber(tx)
    const fault = tooNew(applied)
    if (fault !== undefined) throw refusal('newer', fault)
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

/** @throws StoreError when the schema differs from this program's: `newer`, or `unavailable` while it is older */
export async function requireMigrated(transactions: Transactions): Promise<void> {
  const applied = await schemaOf(transactions)
  const newer = tooNew(applied)
  if (newer !== undefined) throw refusal('newer', newer)
  if (applied < migrations.length) throw refusal('unavailable', tooOld(applied))
}

/** Why this program cannot use the database, and the remedy; undefined when it can. */
export interface SchemaFault {
  readonly found: string
  readonly remedy: string
}

/** @throws StoreError when the database does not answer */
export async function schemaFault(transactions: Transactions): Promise<SchemaFault | undefined> {
  const applied = await schemaOf(transactions)
  return applied < migrations.length ? tooOld(applied) : tooNew(applied)
}

/** The number of the schema; 0 when there is none. @throws StoreError when the database does not answer */
export async function schemaOf(transactions: Transactions): Promise<number> {
  return transactions.read(appliedNumber).catch((error: unknown) => {
    if (error instanceof StoreError) throw error
    return 0
  })
}

async function appliedNumber(db: Tx): Promise<number> {
  const row = await db
    .selectFrom('schema_migrations')
    .select(eb => eb.fn.max('number').as('number'))
    .executeTakeFirst()
  return row?.number ?? 0
}

function tooNew(applied: number): SchemaFault | undefined {
  if (applied <= migrations.length) return undefined
  return {
    found: `a newer version of Sluice has migrated the database to schema ${applied}, and this one knows ${migrations.length}`,
    remedy:
      'start that version again. To stay with this one, restore the backup from before the upgrade (docs/guides/upgrade-and-back-up.md)',
  }
}

function tooOld(applied: number): SchemaFault {
  return {
    found: `the database is at schema ${applied} of ${migrations.length}`,
    remedy: 'start Sluice with the control role, or run `npx sluice db migrate`',
  }
}

function refusal(code: 'newer' | 'unavailable', { found, remedy }: SchemaFault): StoreError {
  return new StoreError(code, `${found}: ${remedy}`)
}
