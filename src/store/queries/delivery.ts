import type { Gate, Tx } from '../gate.ts'
import type { DeliveryBatch, DeliveryCursor, Store } from '../port.ts'
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
    openBatch: batch =>
      gate.write(async tx => {
        await tx.insertInto('delivery_batches').values(batchRow(batch)).execute()
      }),
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

/** A job may have been deleted during the upload: then there is nothing to move. A cursor never moves back. */
async function closeBatch(tx: Tx, batch: DeliveryBatch): Promise<void> {
  const job = await tx.selectFrom('jobs').select('id').where('id', '=', batch.jobId).executeTakeFirst()
  if (job === undefined) return
  await tx
    .deleteFrom('delivery_batches')
    .where('job_id', '=', batch.jobId)
    .where('partition_name', '=', batch.partition)
    .where('last_sequence', '<=', batch.lastSequence)
    .execute()
  await tx
    .insertInto('delivery_cursors')
    .values({ job_id: batch.jobId, partition_name: batch.partition, sequence: batch.lastSequence })
    .onConflict(on =>
      on
        .columns(['job_id', 'partition_name'])
        .doUpdateSet({ sequence: batch.lastSequence })
        .where('delivery_cursors.sequence', '<', batch.lastSequence),
    )
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
