import { type Kysely, sql } from 'kysely'
import type { Cipher } from '../../kit/cipher.ts'
import type { Schema } from '../schema.ts'
import { scrubName } from '../scrub.ts'
import { writeSealCheck } from '../seal-check.ts'

/** SQLite cannot drop a `not null`, so the changed tables are created again and filled from the old ones. */
const before: readonly string[] = [
  'drop index jobs_zone',
  'alter table jobs rename to jobs_before',
  'alter table delivery_cursors rename to delivery_cursors_before',
  'alter table delivery_batches rename to delivery_batches_before',

  `create table jobs (
    id bigint primary key,
    account_id text references accounts (id) on delete cascade,
    zone_id text references zones (id) on delete cascade,
    enabled integer not null,
    revision bigint not null,
    destination text not null,
    settings text not null,
    health text not null,
    check ((account_id is null) <> (zone_id is null)))`,
  'create index jobs_account on jobs (account_id, id)',
  'create index jobs_zone on jobs (zone_id, id)',
  `create table delivery_cursors (
    job_id bigint not null references jobs (id) on delete cascade,
    replay bigint not null,
    partition_name text not null,
    sequence bigint not null,
    primary key (job_id, replay, partition_name))`,
  `create table delivery_batches (
    job_id bigint not null references jobs (id) on delete cascade,
    replay bigint not null,
    ranges text not null,
    object_name text not null,
    shape text not null,
    opened_on text not null,
    primary key (job_id, replay))`,
  `create table delivery_counts (
    job_id bigint not null references jobs (id) on delete cascade,
    hour text not null,
    outcome text not null,
    status text not null,
    uploads bigint not null,
    lines bigint not null,
    bytes bigint not null,
    bytes_compressed bigint not null,
    primary key (job_id, hour, outcome, status))`,
  'create index delivery_counts_hour on delivery_counts (hour)',
  `create table manifest_objects (
    job_id bigint not null references jobs (id) on delete cascade,
    hour text not null,
    path text not null,
    lines bigint not null,
    bytes bigint not null,
    bytes_compressed bigint not null,
    sha256 text not null,
    primary key (job_id, hour, path))`,
  `create table replays (
    job_id bigint not null references jobs (id) on delete cascade,
    id bigint not null,
    status text not null,
    document text not null,
    until text not null,
    primary key (job_id, id))`,
  `create index replays_running on replays (job_id, id) where status = 'running'`,

  `create table redactions (
    zone_id text primary key references zones (id) on delete cascade,
    document text not null)`,
  `create table instant_sessions (
    id text primary key,
    zone_id text not null references zones (id) on delete cascade,
    settings text not null,
    created_on text not null,
    listened_on text not null)`,
  'create index instant_sessions_zone on instant_sessions (zone_id, created_on)',
]

const after: readonly string[] = [
  `insert into delivery_cursors (job_id, replay, partition_name, sequence)
    select job_id, 0, partition_name, sequence from delivery_cursors_before`,
  'drop table delivery_cursors_before',
  'drop table delivery_batches_before',
  'drop table jobs_before',
]

/** Account jobs, sealed destinations, batches over partitions, replays, counts, manifests, redaction. */
export async function delivery(db: Kysely<Schema>, cipher: Cipher): Promise<void> {
  await writeSealCheck(db, cipher)
  for (const statement of before) await sql.raw(statement).execute(db)
  const jobs = await moveJobs(db, cipher)
  await moveBatches(db)
  for (const statement of after) await sql.raw(statement).execute(db)
  if (jobs > 0) await db.insertInto('installation').values({ name: scrubName, value: 'true' }).execute()
}

interface OldJob {
  readonly id: number
  readonly zone_id: string
  readonly enabled: number
  readonly settings: string
  readonly health: string
}

const jobsPerPage = 500

/** @returns the number of jobs */
async function moveJobs(db: Kysely<Schema>, cipher: Cipher): Promise<number> {
  let moved = 0
  let last = 0
  for (;;) {
    const { rows } = await sql<OldJob>`
      select * from jobs_before where id > ${last} order by id limit ${jobsPerPage}`.execute(db)
    for (const row of rows) await moveJob(db, cipher, row)
    moved += rows.length
    last = rows.at(-1)?.id ?? last
    if (rows.length < jobsPerPage) return moved
  }
}

async function moveJob(db: Kysely<Schema>, cipher: Cipher, job: OldJob): Promise<void> {
  const { destinationConf, ...settings } = JSON.parse(job.settings) as { destinationConf: string }
  await db
    .insertInto('jobs')
    .values({
      id: job.id,
      account_id: null,
      zone_id: job.zone_id,
      enabled: job.enabled,
      revision: 1,
      destination: cipher.seal(destinationConf),
      settings: JSON.stringify(settings),
      health: JSON.stringify({ ...JSON.parse(job.health), paused: false }),
    })
    .execute()
}

interface OldBatch {
  readonly job_id: number
  readonly zone_id: string
  readonly partition_name: string
  readonly first_sequence: number
  readonly last_sequence: number
  readonly object_name: string
  readonly shape: string
  readonly opened_on: string
}

/**
 * Each partition of a job had its own open batch; a run now has one in total. The oldest batch stays as it is, under
 * the name that it may already have at the destination. The others are dropped. Their cursors are before them, so
 * their records are delivered under other names. A batch that was uploaded and not yet closed then exists twice at
 * its destination.
 */
async function moveBatches(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<OldBatch>`
    select batch.*, job.zone_id from delivery_batches_before as batch
      join jobs_before as job on job.id = batch.job_id
      order by batch.job_id, batch.opened_on, batch.partition_name`.execute(db)
  let moved: number | undefined
  for (const row of rows) {
    if (row.job_id === moved) continue
    moved = row.job_id
    const range = { partition: row.partition_name, first: row.first_sequence, last: row.last_sequence }
    await sql`insert into delivery_batches (job_id, replay, ranges, object_name, shape, opened_on)
      values (${row.job_id}, 0, ${JSON.stringify([range])}, ${row.object_name}, ${shapeOf(row)}, ${row.opened_on})`.execute(
      db,
    )
  }
}

function shapeOf(batch: OldBatch): string {
  const { zoneId, ...shape } = JSON.parse(batch.shape) as { zoneId: string }
  return JSON.stringify({ scope: { kind: 'zone', id: batch.zone_id }, ...shape })
}
