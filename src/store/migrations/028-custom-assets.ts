import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

export async function customAssets(db: Kysely<Schema>): Promise<void> {
  for (const statement of [
    `create table custom_assets (
      account_id text references accounts (id) on delete cascade,
      zone_id text references zones (id) on delete cascade,
      name text not null,
      document text not null,
      check ((account_id is null) <> (zone_id is null)))`,
    'create unique index custom_assets_account on custom_assets (account_id, name)',
    'create unique index custom_assets_zone on custom_assets (zone_id, name)',
  ])
    await sql.raw(statement).execute(db)
}
