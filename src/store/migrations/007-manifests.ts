import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/**
 * The hour up to which a job's manifests are written. Objects that are late for these hours are listed in the next
 * one.
 */
export async function manifests(db: Kysely<Schema>): Promise<void> {
  await sql
    .raw(`create table manifest_hours (
      job_id bigint primary key references jobs (id) on delete cascade,
      open_from text not null)`)
    .execute(db)
}
