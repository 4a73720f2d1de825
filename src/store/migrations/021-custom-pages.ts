import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

export async function customPages(db: Kysely<Schema>): Promise<void> {
  for (const statement of [
    `create table custom_pages (
      account_id text references accounts (id) on delete cascade,
      zone_id text references zones (id) on delete cascade,
      id text not null,
      document text not null,
      check ((account_id is null) <> (zone_id is null)))`,
    'create unique index custom_pages_account on custom_pages (account_id, id)',
    'create unique index custom_pages_zone on custom_pages (zone_id, id)',
  ])
    await sql.raw(statement).execute(db)
}
