import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

export async function soleWork(db: Kysely<Schema>): Promise<void> {
  await sql`create table sole_work (
    work text primary key,
    owner text not null,
    until_ms bigint not null)`.execute(db)
}
