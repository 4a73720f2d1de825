import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

export async function zoneTypes(db: Kysely<Schema>): Promise<void> {
  await sql.raw(`alter table zones add column type text not null default 'full'`).execute(db)
}
