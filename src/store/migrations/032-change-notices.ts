import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/**
 * PostgreSQL gives notice of changes to every process that listens, when they are committed. A trigger does it for
 * processes of earlier versions too, which may still write while the others are upgraded.
 */
export async function changeNotices(db: Kysely<Schema>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
  await sql`create function sluice_notify_changes() returns trigger language plpgsql
    as $$ begin perform pg_notify('sluice_changes', ''); return null; end $$`.execute(db)
  await sql`create trigger changes_notify after insert on changes
    for each statement execute function sluice_notify_changes()`.execute(db)
}
