import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** All rights on every account, zone and user, as every token had before permissions existed. */
const everything = JSON.stringify([
  {
    id: '5a1c0de00000000000000000000000b1',
    effect: 'allow',
    permissionGroups: [{ id: '5a1c0de00000000000000000000000a1' }],
    resources: {
      'com.cloudflare.api.account.*': '*',
      'com.cloudflare.api.account.zone.*': '*',
      'com.cloudflare.api.user.*': '*',
    },
  },
])

const statements: readonly string[] = [
  `alter table tokens add column user_id text not null default ''`,
  'alter table tokens add column account_id text references accounts (id) on delete cascade',
  `alter table tokens add column status text not null default 'active'`,
  `alter table tokens add column policies text not null default '${everything}'`,
  'alter table tokens add column condition text',
  'alter table tokens add column not_before text',
  'alter table tokens add column expires_on text',
  `alter table tokens add column modified_on text not null default ''`,
  'alter table tokens add column last_used_on text',
  `update tokens set modified_on = created_on, user_id = coalesce((select min(id) from users), '')`,

  `create table audit_entries (
    position bigint primary key,
    id text not null unique,
    account_id text not null,
    zone_id text,
    at text not null,
    action text not null,
    actor_email text,
    actor_ip text not null,
    entry text not null)`,
  'create index audit_entries_account on audit_entries (account_id, position)',
  `insert into counters (name, value) values ('audit', 0)`,
]

export async function people(db: Kysely<Schema>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
