import { type Kysely, sql } from 'kysely'
import { idFromName } from '../../kit/ids.ts'
import type { Schema } from '../schema.ts'

const superAdministrator = '33666b9c79b9a5273fc7344ff42f953d'

const statements: readonly string[] = [
  'alter table users add column password_hash text',
  'alter table users add column sealed_totp text',
  'alter table users add column totp_step bigint not null default 0',
  'alter table users add column invitation_hash text',
  'alter table users add column invitation_until text',
  'alter table users add column oidc_subject text',
  'create unique index users_invitation on users (invitation_hash)',
  'create unique index users_oidc_subject on users (oidc_subject)',
  `create table recovery_codes (
    user_id text not null references users (id) on delete cascade,
    hash text not null,
    primary key (user_id, hash))`,
  `create table sessions (
    id text primary key,
    hash text not null unique,
    user_id text not null references users (id) on delete cascade,
    method text not null,
    address text not null,
    agent text not null,
    created_on text not null,
    last_used_on text not null,
    expires_on text not null)`,
  'create index sessions_user on sessions (user_id)',
  `create table members (
    id text primary key,
    account_id text not null references accounts (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    roles text not null,
    created_on text not null,
    unique (account_id, user_id))`,
  'create index members_user on members (user_id)',
]

/** Roles and sign-ins of users. Users from before keep every right on every account. */
export async function members(db: Kysely<Schema>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
  const accounts = await db.selectFrom('accounts').select(['id', 'created_on']).execute()
  const users = await db.selectFrom('users').select('id').execute()
  for (const account of accounts)
    for (const user of users)
      await db
        .insertInto('members')
        .values({
          id: idFromName(`membership ${user.id} ${account.id}`),
          account_id: account.id,
          user_id: user.id,
          roles: JSON.stringify([superAdministrator]),
          created_on: account.created_on,
        })
        .execute()
}
