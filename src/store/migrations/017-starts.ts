import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/**
 * Where a job begins in logs that the process which started it does not read; logs that are gone; logs that are
 * written to.
 */
export async function starts(db: Kysely<Schema>): Promise<void> {
  for (const statement of [
    'alter table jobs add column start_ms bigint',
    `create table delivery_starts (
      job_id bigint not null references jobs (id) on delete cascade,
      log text not null,
      primary key (job_id, log))`,
    'create table delivery_gone (partition_name text primary key, hour text not null)',
    `create table log_writers (
      place text primary key,
      log text not null,
      until_ms bigint not null)`,
  ])
    await sql.raw(statement).execute(db)
}
