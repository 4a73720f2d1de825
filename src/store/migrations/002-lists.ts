import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

const statements: readonly string[] = [
  `create table lists (
    id text primary key,
    account_id text not null references accounts (id) on delete cascade,
    position bigint not null,
    name text not null,
    kind text not null,
    description text not null,
    num_items integer not null,
    created_on text not null,
    modified_on text not null,
    unique (account_id, name))`,
  `create table list_items (
    id text primary key,
    list_id text not null references lists (id) on delete cascade,
    position bigint not null,
    item_key text not null,
    search_text text not null,
    content text not null,
    created_on text not null,
    modified_on text not null,
    unique (list_id, item_key),
    unique (list_id, position))`,
  `create table list_operations (
    id text primary key,
    account_id text not null references accounts (id) on delete cascade,
    status text not null,
    error text,
    completed_on text)`,
  'create index list_operations_status on list_operations (status)',
]

export async function lists(db: Kysely<Schema>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
