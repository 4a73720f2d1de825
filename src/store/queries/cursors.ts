import type { Tx } from '../gate.ts'
import type { Cursors, Run } from '../port.ts'
import type { DeliveryCursorRow } from '../schema.ts'
import { parts } from './parts.ts'

/** Where the run is already, it stays. */
export async function insertCursors(tx: Tx, run: Run, cursors: Cursors): Promise<void> {
  for (const rows of parts(cursorRows(run, cursors))) {
    await tx
      .insertInto('delivery_cursors')
      .values(rows)
      .onConflict(on => on.columns(['job_id', 'replay', 'partition_name']).doNothing())
      .execute()
  }
}

/** Sets them, whatever there was. */
export async function putCursors(tx: Tx, all: readonly DeliveryCursorRow[]): Promise<void> {
  for (const rows of parts(all)) {
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
  const places = new Map<string, { sequence: number; jobs: number }>()
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
      const known = places.get(partition)
      places.set(partition, {
        sequence: Math.min(known?.sequence ?? sequence, sequence),
        jobs: (known?.jobs ?? 0) + Number(jobs),
      })
    }
  }
  const everywhere = [...places].filter(([, { jobs }]) => jobs === jobIds.length)
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
