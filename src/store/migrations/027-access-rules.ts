import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

export async function accessRules(db: Kysely<Schema>): Promise<void> {
  for (const statement of [
    `create table access_rules (
      id text primary key,
      account_id text references accounts (id) on delete cascade,
      zone_id text references zones (id) on delete cascade,
      revision bigint not null,
      target text not null,
      value text not null,
      key text not null,
      mode text not null,
      notes text not null,
      search_text text not null,
      created_on text not null,
      modified_on text not null,
      check ((account_id is null) <> (zone_id is null)))`,
    'create unique index access_rules_account on access_rules (account_id, key)',
    'create unique index access_rules_zone on access_rules (zone_id, key)',
  ])
    await sql.raw(statement).execute(db)
}
