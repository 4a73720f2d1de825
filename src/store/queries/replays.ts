import { systemClock, timestampOf } from '../../kit/clock.ts'
import { storeLimits } from '../../kit/limits.ts'
import type { AuditEntry, Replay } from '../../model/resource.ts'
import type { Gate, Tx } from '../gate.ts'
import { type Cursors, type Run, type Store, StoreError } from '../port.ts'
import type { ReplayRow } from '../schema.ts'
import { writeAudit } from './audit.ts'
import { announce } from './changes.ts'
import { insertCursors } from './cursors.ts'
import { ownerOf } from './owner.ts'

export function replayQueries(gate: Gate): Store['replays'] {
  return {
    list: jobId =>
      gate.read(async db => {
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
      gate.read(async db => {
        const row = await db
          .selectFrom('replays')
          .selectAll()
          .where('job_id', '=', jobId)
          .where('id', '=', id)
          .executeTakeFirst()
        return row && replayOf(row)
      }),
    insert: (replay, from, until, audit) =>
      gate.write(tx => insertReplay(tx, replay, { from, until }, audit)),
    running: () =>
      gate.read(async db => {
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
        }))
      }),
    update: replay => gate.write(tx => updateReplay(tx, replay)),
  }
}

async function insertReplay(
  tx: Tx,
  replay: Omit<Replay, 'id'>,
  { from, until }: { readonly from: Cursors; readonly until: Cursors },
  audit: ((replay: Replay) => AuditEntry) | undefined,
): Promise<Replay> {
  const { jobId } = replay
  const job = await tx
    .selectFrom('jobs')
    .select(['account_id', 'zone_id'])
    .where('id', '=', jobId)
    .executeTakeFirst()
  if (job === undefined) throw new StoreError('stale', `job ${jobId} is gone`)
  const made: Replay = { ...replay, id: await nextReplayOf(tx, jobId) }
  const ends = JSON.stringify(Object.fromEntries(until))
  await tx
    .insertInto('replays')
    .values({ job_id: jobId, id: made.id, ...contentOf(made), until: ends })
    .execute()
  await insertCursors(tx, { jobId, replay: made.id }, from)
  await forgetOld(tx, made)
  await announce(tx, 'logpush', ownerOf(job).id)
  await writeAudit(tx, audit?.(made))
  return made
}

/** The newest one is never forgotten, so that its number is not used again. */
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

/** Those of a job that are running; their cursors and batches are the caller's to remove. */
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
