import { systemClock, timestampOf } from '../../../kit/clock.ts'
import type { AuditEntry, Replay } from '../../../model/resource.ts'
import { jobLimits, storeLimits } from '../../limits.ts'
import type { Cursors, Run } from '../../port/delivery.ts'
import { StoreError } from '../../port/error.ts'
import type { Store } from '../../port.ts'
import type { ReplayRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'
import { announce } from '../changes.ts'
import { ownerOf } from '../owner.ts'
import { jobRow } from '../write-locks.ts'
import { insertCursors } from './cursors.ts'
import { requireLease } from './leases.ts'

export function replayQueries(transactions: Transactions): Store['replays'] {
  return {
    list: jobId =>
      transactions.read(async db => {
        const rows = await db
          .selectFrom('replays')
          .selectAll()
          .where('job_id', '=', jobId)
          .orderBy('id', 'desc')
          .limit(storeLimits.replaysKept)
          .execute()
        return rows.map(replayOf)
      }),
    get: (jobId, id) =>
      transactions.read(async db => {
        const row = await db
          .selectFrom('replays')
          .selectAll()
          .where('job_id', '=', jobId)
          .where('id', '=', id)
          .executeTakeFirst()
        return row && replayOf(row)
      }),
    insert: (replay, from, until, audit, log = '') =>
      transactions.write(jobRow(replay.jobId), tx => insertReplay(tx, replay, { from, until, log }, audit)),
    running: () =>
      transactions.read(async db => {
        const rows = await db
          .selectFrom('replays')
          .selectAll()
          .where('status', '=', 'running')
          .orderBy('job_id')
          .orderBy('id')
          .execute()
        return rows.map(row => ({
          replay: replayOf(row),
          until: new Map(Object.entries(JSON.parse(row.until) as Record<string, number>)),
          log: row.log,
        }))
      }),
    update: (replay, lease) =>
      transactions.write(jobRow(replay.jobId), async tx => {
        await requireLease(tx, lease)
        await updateReplay(tx, replay)
      }),
  }
}

async function insertReplay(
  tx: Tx,
  replay: Omit<Replay, 'id'>,
  { from, until, log }: { readonly from: Cursors; readonly until: Cursors; readonly log: string },
  audit: ((replay: Replay) => AuditEntry) | undefined,
): Promise<Replay> {
  const { jobId } = replay
  const job = await tx
    .selectFrom('jobs')
    .select(['account_id', 'zone_id'])
    .where('id', '=', jobId)
    .executeTakeFirst()
  if (job === undefined) throw new StoreError('stale', `job ${jobId} is gone`)
  await requireFewRunning(tx, jobId)
  const made: Replay = { ...replay, id: await nextReplayOf(tx, jobId) }
  const ends = JSON.stringify(Object.fromEntries(until))
  await tx
    .insertInto('replays')
    .values({ job_id: jobId, id: made.id, ...contentOf(made), until: ends, log })
    .execute()
  await insertCursors(tx, { jobId, replay: made.id }, from)
  await forgetOld(tx, made)
  await announce(tx, 'logpush', ownerOf(job).id)
  await writeAudit(tx, audit?.(made))
  return made
}

async function requireFewRunning(tx: Tx, jobId: number): Promise<void> {
  const { count } = await tx
    .selectFrom('replays')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('job_id', '=', jobId)
    .where('status', '=', 'running')
    .executeTakeFirstOrThrow()
  if (count >= jobLimits.replaysRunningMax)
    throw new StoreError('full', `job ${jobId} has ${count} running replays`)
}

/** The newest replay is never deleted, so that its number is not used again. */
async function nextReplayOf(tx: Tx, jobId: number): Promise<number> {
  const row = await tx
    .selectFrom('replays')
    .select(eb => eb.fn.max('id').as('id'))
    .where('job_id', '=', jobId)
    .executeTakeFirst()
  return (row?.id ?? 0) + 1
}

async function forgetOld(tx: Tx, newest: Replay): Promise<void> {
  await tx
    .deleteFrom('replays')
    .where('job_id', '=', newest.jobId)
    .where('id', '<=', newest.id - storeLimits.replaysKept)
    .where('status', '!=', 'running')
    .execute()
}

async function updateReplay(tx: Tx, replay: Replay): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('replays')
    .set(contentOf(replay))
    .where('job_id', '=', replay.jobId)
    .where('id', '=', replay.id)
    .where('status', '=', 'running')
    .executeTakeFirst()
  if (numUpdatedRows === 0n || replay.status === 'running') return
  for (const table of ['delivery_cursors', 'delivery_batches'] as const) {
    await tx.deleteFrom(table).where('job_id', '=', replay.jobId).where('replay', '=', replay.id).execute()
  }
}

/** Running replays of a job; the caller removes their cursors and batches. */
export async function cancelReplays(tx: Tx, jobId: number): Promise<void> {
  const rows = await tx
    .selectFrom('replays')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('status', '=', 'running')
    .execute()
  const completedOn = timestampOf(systemClock.nowMs())
  for (const row of rows) {
    const canceled: Replay = { ...replayOf(row), status: 'canceled', completedOn }
    await tx
      .updateTable('replays')
      .set(contentOf(canceled))
      .where('job_id', '=', jobId)
      .where('id', '=', row.id)
      .execute()
  }
}

export async function isRunning(db: Tx, run: Run): Promise<boolean> {
  const row = await db
    .selectFrom('replays')
    .select('id')
    .where('job_id', '=', run.jobId)
    .where('id', '=', run.replay)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return row !== undefined
}

function contentOf({ id, jobId, status, ...document }: Replay): Pick<ReplayRow, 'status' | 'document'> {
  return { status, document: JSON.stringify(document) }
}

function replayOf(row: ReplayRow): Replay {
  return {
    id: row.id,
    jobId: row.job_id,
    status: row.status as Replay['status'],
    ...(JSON.parse(row.document) as Omit<Replay, 'id' | 'jobId' | 'status'>),
  }
}
