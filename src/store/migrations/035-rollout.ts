import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Schema } from '../schema.ts'

const statements: readonly string[] = [
  `create table rollout (
    id integer primary key,
    revision bigint not null,
    document text not null)`,
  `create table rollout_reports (
    edge text primary key,
    until_ms bigint not null,
    document text not null)`,
]

/** Edges read the state of the roll-out with the changes, so they hear of both in the same way. */
export async function rollout(db: Kysely<Schema>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
  await sql`create trigger rollout_notify after insert or update on rollout
    for each statement execute function sluice_notify_changes()`.execute(db)
}
