import { wholeLogOf } from '../../../model/log-name.ts'
import { splitPartitionName } from '../../../model/partition-name.ts'
import type {
  BatchRange,
  DeliveryBatch,
  DeliveryCount,
  ManifestObject,
  MissingRecords,
  Move,
  Run,
} from '../../port/delivery.ts'
import { StoreError } from '../../port/error.ts'
import type { Store } from '../../port.ts'
import type { DeliveryBatchRow, DeliveryCursorRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { parts } from '../parts.ts'
import { jobRow, jobRows } from '../write-locks.ts'
import { cursorRows, cursorsOf, lowestOf, positionsOf, putCursors, resetCursors } from './cursors.ts'
import { heldLeases, leaseKey, requireLease } from './leases.ts'
import { isRunning } from './replays.ts'
import { addCounts, keepManifestObject, missingCounts } from './reports.ts'
import { beginRun, forgetRuns, startOf, startRun } from './runs.ts'

type DeliveryQueries = Pick<
  Store['delivery'],
  | 'cursors'
  | 'lowest'
  | 'start'
  | 'startOf'
  | 'begin'
  | 'stop'
  | 'positions'
  | 'reset'
  | 'advance'
  | 'openBatch'
  | 'openBatchOf'
  | 'closeBatch'
  | 'giveUpBatch'
>

export function deliveryQueries(transactions: Transactions): DeliveryQueries {
  return {
    cursors: run => transactions.read(db => cursorsOf(db, run)),
    lowest: jobIds => transactions.read(db => lowestOf(db, jobIds)),
    start: (run, cursors, begin) =>
      transactions.write(jobRow(run.jobId), tx => startRun(tx, run, cursors, begin)),
    startOf: (jobId, log) => transactions.read(db => startOf(db, jobId, log)),
    begin: (run, log, ms, cursors) =>
      transactions.write(jobRow(run.jobId), tx => beginRun(tx, run, log, ms, cursors)),
    stop: jobId => transactions.write(jobRow(jobId), tx => forgetRuns(tx, jobId)),
    positions: () => transactions.read(positionsOf),
    reset: async (gone, partitions, hour) => {
      // All jobs: one without a position in the log yet may be about to write one.
      const ids = gone.length === 0 ? [] : await transactions.read(idsOfJobs)
      return transactions.write({ table: 'jobs', ids }, tx => resetCursors(tx, gone, partitions, hour))
    },
    advance: async moves => {
      const made: Move[] = []
      // Each transaction locks its jobs.
      for (const some of parts(moves))
        made.push(...(await transactions.write(jobRows(some), tx => advance(tx, some))))
      return made
    },
    openBatch: (batch, revision) =>
      transactions.write(jobRow(batch.jobId), tx => openBatch(tx, batch, revision)),
    openBatchOf: run =>
      transactions.read(async db => {
        const row = await db
          .selectFrom('delivery_batches')
          .selectAll()
          .where('job_id', '=', run.jobId)
          .where('replay', '=', run.replay)
          .$if(hasParts(run), rows => rows.where('log', 'in', logsOf(run)))
          // The name of a part is greater than the name of its log: the run's own batch comes first.
          .orderBy('log', 'desc')
          .executeTakeFirst()
        return row && batchOf(row)
      }),
    closeBatch: (batch, object, missing, count) =>
      transactions.write(jobRow(batch.jobId), tx => closeBatch(tx, batch, object, missing, count)),
    giveUpBatch: async batch => {
      await transactions.write(jobRow(batch.jobId), async tx => {
        await requireLease(tx, batch.lease)
        await removeBatch(tx, batch)
      })
    },
  }
}

async function idsOfJobs(db: Tx): Promise<readonly number[]> {
  const rows = await db.selectFrom('jobs').select('id').execute()
  return rows.map(({ id }) => id)
}

/** The jobs are locked: no other write comes between these reads and writes. */
async function advance(tx: Tx, moves: readonly Move[]): Promise<readonly Move[]> {
  const positions = new Map<number, Map<string, number>>()
  const revisions = new Map<number, number>()
  const opened = new Map<number, Set<string>>()
  for (const jobIds of parts([...new Set(moves.map(move => move.jobId))])) {
    for (const { id, revision } of await enabledJobs(tx, jobIds)) {
      revisions.set(id, revision)
      positions.set(id, new Map())
      opened.set(id, new Set())
    }
    for (const { job_id, log } of await openBatches(tx, jobIds)) opened.get(job_id)?.add(log)
    const cursors = await tx
      .selectFrom('delivery_cursors')
      .selectAll()
      .where('job_id', 'in', jobIds)
      .where('replay', '=', 0)
      .execute()
    for (const row of cursors) positions.get(row.job_id)?.set(row.partition_name, row.sequence)
  }
  const held = await heldLeases(
    tx,
    moves.flatMap(({ lease }) => lease ?? []),
  )
  const moved = new Map<string, DeliveryCursorRow>()
  const counts: DeliveryCount[] = []
  const made: Move[] = []
  for (const move of moves) {
    const { jobId, revision, cursors, missing, lease } = move
    if (revisions.get(jobId) !== revision) continue
    if (logsOf(move).some(log => opened.get(jobId)!.has(log))) continue
    if (lease !== undefined && !held.has(leaseKey(lease))) continue
    made.push(move)
    const position = positions.get(jobId)!
    if (missing !== undefined) counts.push(...missingCounts(jobId, missing, position))
    for (const row of cursorRows({ jobId, replay: 0 }, cursors)) {
      if (row.sequence <= (position.get(row.partition_name) ?? 0)) continue
      position.set(row.partition_name, row.sequence)
      moved.set(`${jobId} ${row.partition_name}`, row)
    }
  }
  await putCursors(tx, [...moved.values()])
  await addCounts(tx, counts)
  return made
}

function enabledJobs(tx: Tx, jobIds: readonly number[]): Promise<{ id: number; revision: number }[]> {
  return tx
    .selectFrom('jobs')
    .select(['id', 'revision'])
    .where('id', 'in', jobIds)
    .where('enabled', '=', 1)
    .execute()
}

/** Of live runs. */
function openBatches(tx: Tx, jobIds: readonly number[]): Promise<{ job_id: number; log: string }[]> {
  return tx
    .selectFrom('delivery_batches')
    .select(['job_id', 'log'])
    .where('job_id', 'in', jobIds)
    .where('replay', '=', 0)
    .execute()
}

/** The process that cut the batch may have read the run and its cursors before they changed. */
async function openBatch(tx: Tx, batch: DeliveryBatch, revision: number): Promise<void> {
  await requireLease(tx, batch.lease)
  if (!(await (batch.replay === 0 ? isAsKnown(tx, batch.jobId, revision) : isRunning(tx, batch))))
    throw new StoreError('stale', `${nameOf(batch)} is over, or was changed`)
  const cursors = await cursorsOf(tx, batch)
  for (const { partition, first } of batch.ranges) {
    const sequence = cursors.get(partition) ?? 0
    if (sequence >= first)
      throw new StoreError('stale', `${nameOf(batch)} is at ${sequence} of ${partition} already`)
  }
  await refuseOverlap(tx, batch)
  await tx.insertInto('delivery_batches').values(batchRow(batch)).execute()
}

/** Leases of a whole log, as earlier versions took them, do not exclude those of its parts. */
async function refuseOverlap(tx: Tx, batch: DeliveryBatch): Promise<void> {
  const rows = await tx
    .selectFrom('delivery_batches')
    .selectAll()
    .where('job_id', '=', batch.jobId)
    .where('replay', '=', batch.replay)
    .execute()
  for (const range of rows.flatMap(row => batchOf(row).ranges))
    if (batch.ranges.some(one => overlap(one, range)))
      throw new StoreError('conflict', `${nameOf(batch)} has an open batch of ${range.partition} already`)
}

function overlap(one: BatchRange, other: BatchRange): boolean {
  return one.partition === other.partition && one.first <= other.last && other.first <= one.last
}

async function isAsKnown(tx: Tx, jobId: number, revision: number): Promise<boolean> {
  const row = await tx
    .selectFrom('jobs')
    .select('id')
    .where('id', '=', jobId)
    .where('enabled', '=', 1)
    .where('revision', '=', revision)
    .executeTakeFirst()
  return row !== undefined
}

function nameOf({ jobId, replay }: Run): string {
  return replay === 0 ? `job ${jobId}` : `replay ${replay} of job ${jobId}`
}

/** The job may have been stopped, deleted or restarted during the upload: then there is nothing to move. */
async function closeBatch(
  tx: Tx,
  batch: DeliveryBatch,
  object: ManifestObject | undefined,
  missing: MissingRecords | undefined,
  count: DeliveryCount | undefined,
): Promise<boolean> {
  await requireLease(tx, batch.lease)
  // The object is at its destination, regardless of the job.
  if (count !== undefined) await addCounts(tx, [count])
  if (!(await removeBatch(tx, batch))) return false
  if (missing !== undefined)
    await addCounts(tx, missingCounts(batch.jobId, missing, await cursorsOf(tx, batch)))
  await putCursors(tx, await endsOf(tx, batch))
  if (object !== undefined) await keepManifestObject(tx, batch.jobId, object)
  return true
}

/**
 * The positions of a run after a batch, where it moves forward: an earlier version may have passed a batch of a part,
 * which it does not know. Earlier versions named a log without an epoch; ranges of such a name are
 * behind the run in the log of that name.
 */
async function endsOf(tx: Tx, batch: DeliveryBatch): Promise<readonly DeliveryCursorRow[]> {
  const ends = new Map(batch.ranges.map(({ partition, last }) => [partition, last]))
  const cursors = await cursorsOf(tx, batch)
  for (const known of cursors.keys()) {
    const { name, epoch } = splitPartitionName(known)
    const last = ends.get(name)
    if (epoch === '' || last === undefined) continue
    ends.delete(name)
    ends.set(known, last)
  }
  return cursorRows(batch, ends).filter(row => row.sequence > (cursors.get(row.partition_name) ?? 0))
}

/** @returns false when the batch was no longer open */
async function removeBatch(tx: Tx, batch: DeliveryBatch): Promise<boolean> {
  const row = batchRow(batch)
  const { numDeletedRows } = await tx
    .deleteFrom('delivery_batches')
    .where('job_id', '=', row.job_id)
    .where('replay', '=', row.replay)
    .where('ranges', '=', row.ranges)
    .where('object_name', '=', row.object_name)
    .$if(hasParts(batch), rows => rows.where('log', 'in', logsOf(batch)))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** A live run is of a part of a log. A replay has all parts, regardless of the lease that it runs under. */
function hasParts({ lease, replay }: Run): boolean {
  return lease !== undefined && replay === 0
}

/**
 * The logs under which a batch of a run is stored. Earlier versions named none, or the whole log of what are parts now.
 */
function logsOf({ lease }: Pick<Run, 'lease'>): string[] {
  return lease === undefined ? [''] : [...new Set(['', wholeLogOf(lease.log), lease.log])]
}

function batchRow(batch: DeliveryBatch): DeliveryBatchRow {
  return {
    job_id: batch.jobId,
    replay: batch.replay,
    log: batch.lease?.log ?? '',
    ranges: JSON.stringify(batch.ranges.map(({ partition, first, last }) => ({ partition, first, last }))),
    object_name: batch.objectName,
    shape: batch.shape,
    lines: batch.lines,
    opened_on: batch.openedOn,
  }
}

function batchOf(row: DeliveryBatchRow): DeliveryBatch {
  return {
    jobId: row.job_id,
    replay: row.replay,
    ranges: JSON.parse(row.ranges) as BatchRange[],
    objectName: row.object_name,
    shape: row.shape,
    lines: row.lines,
    openedOn: row.opened_on,
  }
}
