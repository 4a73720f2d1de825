import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

export async function shadows(db: Kysely<Schema>): Promise<void> {
  await sql
    .raw(`create table shadows (
      zone_id text primary key references zones (id) on delete cascade,
      document text not null)`)
    .execute(db)
}
