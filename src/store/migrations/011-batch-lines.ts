import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** The number of lines of a batch when it was stored: the object may hold more lines than still exist. */
export async function batchLines(db: Kysely<Schema>): Promise<void> {
  await sql.raw('alter table delivery_batches add column lines bigint not null default 0').execute(db)
}
