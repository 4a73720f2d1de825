import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** Up to which hour a job's manifests are made: what is delivered late for one of these is listed in the next. */
export async function manifests(db: Kysely<Schema>): Promise<void> {
  await sql
    .raw(`create table manifest_hours (
      job_id bigint primary key references jobs (id) on delete cascade,
      open_from text not null)`)
    .execute(db)
}
