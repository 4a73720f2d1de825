import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

const statements: readonly string[] = [
  'alter table zones add column revision bigint not null default 1',
  'alter table tokens add column revision bigint not null default 1',
  'alter table lists add column revision bigint not null default 1',
  'alter table list_operations add column beats bigint not null default 0',
]

/** Writes name the revision that they are based on; list operations record that their process is alive. */
export async function revisions(db: Kysely<Schema>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
