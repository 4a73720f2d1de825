import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** The delivery lag of each job, by hour. */
export async function deliveryLags(db: Kysely<Schema>): Promise<void> {
  for (const statement of [
    `create table delivery_lags (
      job_id bigint not null references jobs (id) on delete cascade,
      hour text not null,
      seconds_max bigint not null,
      primary key (job_id, hour))`,
    'create index delivery_lags_hour on delivery_lags (hour)',
  ])
    await sql.raw(statement).execute(db)
}
