import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

export async function keptResources(db: Kysely<Schema>): Promise<void> {
  for (const statement of [
    `create table kept_resources (
      account_id text references accounts (id) on delete cascade,
      zone_id text references zones (id) on delete cascade,
      id text not null primary key,
      kind text not null,
      created_on text not null,
      modified_on text not null,
      document text not null,
      check ((account_id is null) <> (zone_id is null)))`,
    'create index kept_resources_account on kept_resources (account_id)',
    'create index kept_resources_zone on kept_resources (zone_id)',
  ])
    await sql.raw(statement).execute(db)
}
