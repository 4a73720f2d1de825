import type { Cursors, Run } from '../../port/delivery.ts'
import { StoreError } from '../../port/error.ts'
import type { Tx } from '../../transactions.ts'
import { insertCursors } from './cursors.ts'
import { requireLease } from './leases.ts'
import { cancelReplays } from './replays.ts'

/** Sets where a run starts. An enabled job that has its start keeps it: another process was first. */
export async function startRun(
  tx: Tx,
  run: Run,
  cursors: Cursors,
  begin: { readonly log: string; readonly ms: number } | undefined,
): Promise<void> {
  const { jobId } = run
  if (run.replay !== 0) return insertCursors(tx, run, cursors)
  const job = await tx
    .selectFrom('jobs')
    .select(['enabled', 'start_ms'])
    .where('id', '=', jobId)
    .executeTakeFirst()
  if (job?.enabled !== 1) await forgetRuns(tx, jobId)
  else if (begin !== undefined && job.start_ms !== null) return
  await insertCursors(tx, run, cursors)
  if (begin === undefined) return
  await tx.updateTable('jobs').set({ start_ms: begin.ms }).where('id', '=', jobId).execute()
  await insertStart(tx, jobId, begin.log)
}

/** The moment from which a live run reads a log in which it has no position yet; undefined when it has one. */
export async function startOf(db: Tx, jobId: number, log: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('jobs')
    .select('start_ms')
    .where('id', '=', jobId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('delivery_starts')
            .select('job_id')
            .whereRef('delivery_starts.job_id', '=', 'jobs.id')
            .where('log', '=', log),
        ),
      ),
    )
    .executeTakeFirst()
  return row?.start_ms ?? undefined
}

/** @throws StoreError `stale` when the job has a position in the log by now, or starts at another moment; `fenced` */
export async function beginRun(tx: Tx, run: Run, log: string, ms: number, cursors: Cursors): Promise<void> {
  await requireLease(tx, run.lease)
  if ((await startOf(tx, run.jobId, log)) !== ms)
    throw new StoreError('stale', `job ${run.jobId} was restarted`)
  await insertCursors(tx, run, cursors)
  await insertStart(tx, run.jobId, log)
}

async function insertStart(tx: Tx, jobId: number, log: string): Promise<void> {
  await tx
    .insertInto('delivery_starts')
    .values({ job_id: jobId, log })
    .onConflict(on => on.columns(['job_id', 'log']).doNothing())
    .execute()
}

/** Forgets a job's positions and open batches, and cancels its replays. */
export async function forgetRuns(tx: Tx, jobId: number): Promise<void> {
  await cancelReplays(tx, jobId)
  await tx.updateTable('jobs').set({ start_ms: null }).where('id', '=', jobId).execute()
  await tx.deleteFrom('delivery_starts').where('job_id', '=', jobId).execute()
  await tx.deleteFrom('delivery_cursors').where('job_id', '=', jobId).execute()
  await tx.deleteFrom('delivery_batches').where('job_id', '=', jobId).execute()
}
