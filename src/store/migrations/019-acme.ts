import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** Orders of certificates by ACME, and the challenges that edges answer. */
export async function acme(db: Kysely<Schema>): Promise<void> {
  for (const statement of [
    `create table acme_accounts (
      directory text primary key,
      sealed_key text not null)`,
    `create table acme_names (
      name text primary key,
      zone_id text not null references zones (id) on delete cascade,
      failures integer not null,
      problem text,
      next_ms bigint not null,
      owner text not null,
      owner_until_ms bigint not null)`,
    'create index acme_names_zone on acme_names (zone_id)',
    'create index acme_names_next on acme_names (next_ms)',
    `create table acme_challenges (
      name text not null,
      kind text not null,
      sealed text not null,
      until_ms bigint not null,
      primary key (name, kind))`,
    `create table acme_orders (
      id text primary key,
      at_ms bigint not null)`,
  ])
    await sql.raw(statement).execute(db)
}
