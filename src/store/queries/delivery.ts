import type { Gate, Tx } from '../gate.ts'
import { type DeliveryBatch, type DeliveryCursor, type Store, StoreError } from '../port.ts'
import type { DeliveryBatchRow, DeliveryCursorRow } from '../schema.ts'

export function deliveryQueries(gate: Gate): Store['delivery'] {
  return {
    cursors: jobId =>
      gate.read(async db => {
        const rows = await db
          .selectFrom('delivery_cursors')
          .selectAll()
          .where('job_id', '=', jobId)
          .orderBy('partition_name')
          .execute()
        return rows.map(cursorOf)
      }),
    start: cursor =>
      gate.write(async tx => {
        await tx
          .insertInto('delivery_cursors')
          .values(cursorRow(cursor))
          .onConflict(on => on.columns(['job_id', 'partition_name']).doNothing())
          .execute()
      }),
    stop: jobId =>
      gate.write(async tx => {
        await tx.deleteFrom('delivery_cursors').where('job_id', '=', jobId).execute()
        await tx.deleteFrom('delivery_batches').where('job_id', '=', jobId).execute()
      }),
    openBatch: batch => gate.write(tx => openBatch(tx, batch)),
    openBatches: jobId =>
      gate.read(async db => {
        const rows = await db
          .selectFrom('delivery_batches')
          .selectAll()
          .where('job_id', '=', jobId)
          .orderBy('partition_name')
          .execute()
        return rows.map(batchOf)
      }),
    closeBatch: batch => gate.write(tx => closeBatch(tx, batch)),
  }
}

/** Whoever cut the batch may have read the job and its cursors before they changed. */
async function openBatch(tx: Tx, batch: DeliveryBatch): Promise<void> {
  const job = await tx
    .selectFrom('jobs')
    .select('id')
    .where('id', '=', batch.jobId)
    .where('enabled', '=', 1)
    .executeTakeFirst()
  if (job === undefined) throw new StoreError('stale', `job ${batch.jobId} is disabled or gone`)
  const passed = await tx
    .selectFrom('delivery_cursors')
    .select('sequence')
    .where('job_id', '=', batch.jobId)
    .where('partition_name', '=', batch.partition)
    .where('sequence', '>=', batch.firstSequence)
    .executeTakeFirst()
  if (passed !== undefined)
    throw new StoreError('stale', `job ${batch.jobId} is at ${passed.sequence} of ${batch.partition} already`)
  await tx.insertInto('delivery_batches').values(batchRow(batch)).execute()
}

/** A job may have been stopped or deleted during the upload: then there is nothing to move. */
async function closeBatch(tx: Tx, batch: DeliveryBatch): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('delivery_batches')
    .where('job_id', '=', batch.jobId)
    .where('partition_name', '=', batch.partition)
    .where('first_sequence', '=', batch.firstSequence)
    .where('last_sequence', '=', batch.lastSequence)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return
  await tx
    .insertInto('delivery_cursors')
    .values({ job_id: batch.jobId, partition_name: batch.partition, sequence: batch.lastSequence })
    .onConflict(on => on.columns(['job_id', 'partition_name']).doUpdateSet({ sequence: batch.lastSequence }))
    .execute()
}

function cursorRow(cursor: DeliveryCursor): DeliveryCursorRow {
  return { job_id: cursor.jobId, partition_name: cursor.partition, sequence: cursor.sequence }
}

function cursorOf(row: DeliveryCursorRow): DeliveryCursor {
  return { jobId: row.job_id, partition: row.partition_name, sequence: row.sequence }
}

function batchRow(batch: DeliveryBatch): DeliveryBatchRow {
  return {
    job_id: batch.jobId,
    partition_name: batch.partition,
    first_sequence: batch.firstSequence,
    last_sequence: batch.lastSequence,
    object_name: batch.objectName,
    shape: batch.shape,
    opened_on: batch.openedOn,
  }
}

function batchOf(row: DeliveryBatchRow): DeliveryBatch {
  return {
    jobId: row.job_id,
    partition: row.partition_name,
    firstSequence: row.first_sequence,
    lastSequence: row.last_sequence,
    objectName: row.object_name,
    shape: row.shape,
    openedOn: row.opened_on,
  }
}
