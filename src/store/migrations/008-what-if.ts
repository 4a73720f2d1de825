import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

export async function whatIf(db: Kysely<Schema>): Promise<void> {
  await sql
    .raw(`create table what_if_sampling (
      zone_id text primary key references zones (id) on delete cascade,
      rate integer not null)`)
    .execute(db)
}
