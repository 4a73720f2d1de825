import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** A zone has a row while Logpull may read its records. */
export async function logpull(db: Kysely<Schema>): Promise<void> {
  await sql
    .raw(`create table logpull_zones (
      zone_id text primary key references zones (id) on delete cascade)`)
    .execute(db)
}
