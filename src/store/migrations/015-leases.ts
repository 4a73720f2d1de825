import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** The process that delivers a job's records of a log. A batch belongs to the log of its records. */
export async function leases(db: Kysely<Schema>): Promise<void> {
  for (const statement of [
    `create table delivery_processes (
      id text primary key,
      place text not null,
      log text not null,
      until_ms bigint not null)`,
    `create table delivery_leases (
      job_id bigint not null references jobs (id) on delete cascade,
      log text not null,
      owner text not null,
      fence bigint not null,
      primary key (job_id, log))`,
    'create index delivery_leases_owner on delivery_leases (owner)',

    `create table delivery_batches_by_log (
      job_id bigint not null references jobs (id) on delete cascade,
      replay bigint not null,
      log text not null,
      ranges text not null,
      object_name text not null,
      shape text not null,
      lines bigint not null,
      opened_on text not null,
      primary key (job_id, replay, log))`,
    `insert into delivery_batches_by_log (job_id, replay, log, ranges, object_name, shape, lines, opened_on)
      select job_id, replay, '', ranges, object_name, shape, lines, opened_on from delivery_batches`,
    'drop table delivery_batches',
    'alter table delivery_batches_by_log rename to delivery_batches',
    `alter table replays add column log text not null default ''`,
  ])
    await sql.raw(statement).execute(db)
}
