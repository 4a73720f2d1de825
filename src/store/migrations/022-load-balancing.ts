import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

export async function loadBalancing(db: Kysely<Schema>): Promise<void> {
  for (const table of ['lb_monitors', 'lb_pools'])
    await sql
      .raw(`create table ${table} (
        id text primary key,
        account_id text not null references accounts (id) on delete cascade,
        created_on text not null,
        document text not null)`)
      .execute(db)
  await sql
    .raw(`create table load_balancers (
      id text primary key,
      zone_id text not null references zones (id) on delete cascade,
      created_on text not null,
      document text not null)`)
    .execute(db)
  for (const [table, owner] of [
    ['lb_monitors', 'account_id'],
    ['lb_pools', 'account_id'],
    ['load_balancers', 'zone_id'],
  ])
    await sql.raw(`create index ${table}_owner on ${table} (${owner})`).execute(db)
  await sql
    .raw(`create table lb_pool_health (
      pool_id text not null,
      place text not null,
      origins text not null,
      until_ms bigint not null,
      primary key (pool_id, place))`)
    .execute(db)
}
