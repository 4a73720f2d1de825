import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

export async function dnsRecords(db: Kysely<Schema>): Promise<void> {
  await sql
    .raw(`create table dns_records (
      zone_id text not null references zones (id) on delete cascade,
      id text not null,
      type text not null,
      document text not null,
      primary key (zone_id, id))`)
    .execute(db)
}
