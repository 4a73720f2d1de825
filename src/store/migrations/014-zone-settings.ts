import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

export async function zoneSettings(db: Kysely<Schema>): Promise<void> {
  await sql
    .raw(`create table zone_settings (
      zone_id text not null references zones (id) on delete cascade,
      id text not null,
      value text not null,
      modified_on text not null,
      primary key (zone_id, id))`)
    .execute(db)
}
