import type { Gate, Tx } from '../gate.ts'
import {
  type BatchRange,
  type DeliveryBatch,
  type DeliveryCount,
  type ManifestObject,
  type MissingRecords,
  type Move,
  type Run,
  type Store,
  StoreError,
} from '../port.ts'
import type { DeliveryBatchRow, DeliveryCursorRow } from '../schema.ts'
import { cursorRows, cursorsOf, insertCursors, lowestOf, putCursors } from './cursors.ts'
import { addCounts, keepManifestObject, missingCounts } from './delivery-reports.ts'
import { parts } from './parts.ts'
import { cancelReplays, isRunning } from './replays.ts'

type DeliveryQueries = Pick<
  Store['delivery'],
  | 'cursors'
  | 'lowest'
  | 'start'
  | 'stop'
  | 'advance'
  | 'openBatch'
  | 'openBatchOf'
  | 'closeBatch'
  | 'giveUpBatch'
>

export function deliveryQueries(gate: Gate): DeliveryQueries {
  return {
    cursors: run => gate.read(db => cursorsOf(db, run)),
    lowest: jobIds => gate.read(db => lowestOf(db, jobIds)),
    start: (run, cursors) => gate.write(tx => insertCursors(tx, run, cursors)),
    stop: jobId =>
      gate.write(async tx => {
        await cancelReplays(tx, jobId)
        await tx.deleteFrom('delivery_cursors').where('job_id', '=', jobId).execute()
        await tx.deleteFrom('delivery_batches').where('job_id', '=', jobId).execute()
      }),
    advance: async moves => {
      if (moves.length > 0) await gate.write(tx => advance(tx, moves))
    },
    openBatch: (batch, revision) => gate.write(tx => openBatch(tx, batch, revision)),
    openBatchOf: run =>
      gate.read(async db => {
        const row = await db
          .selectFrom('delivery_batches')
          .selectAll()
          .where('job_id', '=', run.jobId)
          .where('replay', '=', run.replay)
          .executeTakeFirst()
        return row && batchOf(row)
      }),
    closeBatch: (batch, object, missing) => gate.write(tx => closeBatch(tx, batch, object, missing)),
    giveUpBatch: async batch => {
      await gate.write(tx => removeBatch(tx, batch))
    },
  }
}

/** No other writer comes between the reads and the writes. */
async function advance(tx: Tx, moves: readonly Move[]): Promise<void> {
  const places = new Map<number, Map<string, number>>()
  const revisions = new Map<number, number>()
  for (const jobIds of parts(moves.map(move => move.jobId))) {
    for (const { id, revision } of await movableJobs(tx, jobIds)) {
      revisions.set(id, revision)
      places.set(id, new Map())
    }
    const cursors = await tx
      .selectFrom('delivery_cursors')
      .selectAll()
      .where('job_id', 'in', jobIds)
      .where('replay', '=', 0)
      .execute()
    for (const row of cursors) places.get(row.job_id)?.set(row.partition_name, row.sequence)
  }
  const moved = new Map<string, DeliveryCursorRow>()
  const counts: DeliveryCount[] = []
  for (const { jobId, revision, cursors, missing } of moves) {
    if (revisions.get(jobId) !== revision) continue
    const place = places.get(jobId)!
    if (missing !== undefined) counts.push(...missingCounts(jobId, missing, place))
    for (const row of cursorRows({ jobId, replay: 0 }, cursors)) {
      if (row.sequence <= (place.get(row.partition_name) ?? 0)) continue
      place.set(row.partition_name, row.sequence)
      moved.set(`${jobId} ${row.partition_name}`, row)
    }
  }
  await putCursors(tx, [...moved.values()])
  await addCounts(tx, counts)
}

/** Those that are enabled and have no batch open. */
function movableJobs(tx: Tx, jobIds: readonly number[]): Promise<{ id: number; revision: number }[]> {
  return tx
    .selectFrom('jobs')
    .select(['id', 'revision'])
    .where('id', 'in', jobIds)
    .where('enabled', '=', 1)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('delivery_batches')
            .select('job_id')
            .whereRef('delivery_batches.job_id', '=', 'jobs.id')
            .where('replay', '=', 0),
        ),
      ),
    )
    .execute()
}

/** Whoever cut the batch may have read the run and its cursors before they changed. */
async function openBatch(tx: Tx, batch: DeliveryBatch, revision: number): Promise<void> {
  if (!(await (batch.replay === 0 ? isAsKnown(tx, batch.jobId, revision) : isRunning(tx, batch))))
    throw new StoreError('stale', `${nameOf(batch)} is over, or was changed`)
  const cursors = await cursorsOf(tx, batch)
  for (const { partition, first } of batch.ranges) {
    const sequence = cursors.get(partition) ?? 0
    if (sequence >= first)
      throw new StoreError('stale', `${nameOf(batch)} is at ${sequence} of ${partition} already`)
  }
  await tx.insertInto('delivery_batches').values(batchRow(batch)).execute()
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

/** A job may have been stopped or deleted during the upload, or started anew: then there is nothing to move. */
async function closeBatch(
  tx: Tx,
  batch: DeliveryBatch,
  object: ManifestObject | undefined,
  missing: MissingRecords | undefined,
): Promise<boolean> {
  if (!(await removeBatch(tx, batch))) return false
  if (missing !== undefined)
    await addCounts(tx, missingCounts(batch.jobId, missing, await cursorsOf(tx, batch)))
  const ends = new Map(batch.ranges.map(({ partition, last }) => [partition, last]))
  await putCursors(tx, cursorRows(batch, ends))
  if (object !== undefined) await keepManifestObject(tx, batch.jobId, object)
  return true
}

/** @returns false when it was not open any more */
async function removeBatch(tx: Tx, batch: DeliveryBatch): Promise<boolean> {
  const row = batchRow(batch)
  const { numDeletedRows } = await tx
    .deleteFrom('delivery_batches')
    .where('job_id', '=', row.job_id)
    .where('replay', '=', row.replay)
    .where('ranges', '=', row.ranges)
    .where('object_name', '=', row.object_name)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

function batchRow(batch: DeliveryBatch): DeliveryBatchRow {
  return {
    job_id: batch.jobId,
    replay: batch.replay,
    ranges: JSON.stringify(batch.ranges.map(({ partition, first, last }) => ({ partition, first, last }))),
    object_name: batch.objectName,
    shape: batch.shape,
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
    openedOn: row.opened_on,
  }
}
