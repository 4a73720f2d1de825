import { splitPartitionName } from '../../../model/partition-name.ts'
import type { Cursors, LostPosition, Run } from '../../port/delivery.ts'
import type { DeliveryCursorRow } from '../../schema.ts'
import type { Tx } from '../../transactions.ts'
import { parts } from '../parts.ts'
import { addCounts } from './reports.ts'

/** Existing positions of the run are kept. */
export async function insertCursors(tx: Tx, run: Run, cursors: Cursors): Promise<void> {
  for (const rows of parts(await comeTo(tx, cursorRows(run, cursors)))) {
    await tx
      .insertInto('delivery_cursors')
      .values(rows)
      .onConflict(on => on.columns(['job_id', 'replay', 'partition_name']).doNothing())
      .execute()
  }
}

/** Replaces existing positions. */
export async function putCursors(tx: Tx, all: readonly DeliveryCursorRow[]): Promise<void> {
  for (const rows of parts(await comeTo(tx, all))) {
    await tx
      .insertInto('delivery_cursors')
      .values(rows)
      .onConflict(on =>
        on
          .columns(['job_id', 'replay', 'partition_name'])
          .doUpdateSet(eb => ({ sequence: eb.ref('excluded.sequence') })),
      )
      .execute()
  }
}

/**
 * Leaves out the positions of live runs in logs that are gone: a process that had one in hand when it was forgotten
 * does not restore it. Replays end at their position in such a log.
 */
async function comeTo(tx: Tx, all: readonly DeliveryCursorRow[]): Promise<readonly DeliveryCursorRow[]> {
  const gone = new Set<string>()
  for (const names of parts([...new Set(all.map(row => row.partition_name))])) {
    const rows = await tx
      .selectFrom('delivery_gone')
      .selectAll()
      .where('partition_name', 'in', names)
      .execute()
    for (const row of rows) gone.add(row.partition_name)
  }
  return gone.size === 0 ? all : all.filter(row => row.replay !== 0 || !gone.has(row.partition_name))
}

/** All partitions in which live runs have a position. */
export async function positionsOf(db: Tx): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('delivery_cursors')
    .select('partition_name')
    .distinct()
    .where('replay', '=', 0)
    .execute()
  return rows.map(row => row.partition_name)
}

/**
 * Forgets positions of jobs in logs that are gone; positions of an earlier version are renamed. Replays keep theirs:
 * they end at a position in the lost log, and count the missing records up to it.
 */
export async function resetCursors(
  tx: Tx,
  gone: readonly string[],
  partitions: readonly string[],
  hour: string,
): Promise<readonly LostPosition[]> {
  // The files of an earlier log were restored: the log is read from its start, like a new one.
  for (const names of parts(partitions))
    await tx.deleteFrom('delivery_gone').where('partition_name', 'in', names).execute()
  const rows: DeliveryCursorRow[] = []
  for (const names of parts(gone)) {
    rows.push(
      ...(await tx
        .deleteFrom('delivery_cursors')
        .where('replay', '=', 0)
        .where('partition_name', 'in', names)
        .returningAll()
        .execute()),
    )
    // A name without an epoch means the existing log.
    const marks = names.filter(name => splitPartitionName(name).epoch !== '')
    if (marks.length > 0)
      await tx
        .insertInto('delivery_gone')
        .values(marks.map(partition_name => ({ partition_name, hour })))
        .onConflict(on => on.column('partition_name').doNothing())
        .execute()
  }
  const byName = new Map(partitions.map(partition => [splitPartitionName(partition).name, partition]))
  const renamed: DeliveryCursorRow[] = []
  const lost: LostPosition[] = []
  for (const row of rows) {
    const { job_id: jobId, partition_name: partition, sequence } = row
    const now = byName.get(partition)
    if (now !== undefined) renamed.push({ ...row, partition_name: now })
    else lost.push({ jobId, partition, sequence })
  }
  for (const some of parts(renamed))
    await tx
      .insertInto('delivery_cursors')
      .values(some)
      .onConflict(on => on.doNothing())
      .execute()
  await addCounts(
    tx,
    lost.map(({ jobId }) => ({ ...noAmounts, jobId, hour, outcome: 'reset', status: '', uploads: 1 })),
  )
  return lost
}

const noAmounts = { lines: 0, bytes: 0, bytesCompressed: 0 }

export async function cursorsOf(db: Tx, run: Run): Promise<Cursors> {
  const rows = await db
    .selectFrom('delivery_cursors')
    .select(['partition_name', 'sequence'])
    .where('job_id', '=', run.jobId)
    .where('replay', '=', run.replay)
    .orderBy('partition_name')
    .execute()
  return new Map(rows.map(row => [row.partition_name, row.sequence]))
}

export async function lowestOf(db: Tx, jobIds: readonly number[]): Promise<Cursors> {
  const positions = new Map<string, { sequence: number; jobs: number }>()
  for (const ids of parts(jobIds)) {
    const rows = await db
      .selectFrom('delivery_cursors')
      .select([
        'partition_name',
        eb => eb.fn.min('sequence').as('sequence'),
        eb => eb.fn.countAll().as('jobs'),
      ])
      .where('replay', '=', 0)
      .where('job_id', 'in', ids)
      .groupBy('partition_name')
      .execute()
    for (const { partition_name: partition, sequence, jobs } of rows) {
      const known = positions.get(partition)
      positions.set(partition, {
        sequence: Math.min(known?.sequence ?? sequence, sequence),
        jobs: (known?.jobs ?? 0) + Number(jobs),
      })
    }
  }
  const everywhere = [...positions].filter(([, { jobs }]) => jobs === jobIds.length)
  return new Map(everywhere.map(([partition, { sequence }]) => [partition, sequence]))
}

export function cursorRows({ jobId, replay }: Run, cursors: Cursors): DeliveryCursorRow[] {
  return Array.from(cursors, ([partition, sequence]) => ({
    job_id: jobId,
    replay,
    partition_name: partition,
    sequence,
  }))
}
