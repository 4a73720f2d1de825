import type { PartitionStats, RecordReader } from '../../bus/port.ts'
import type { LogpushJob } from '../../model/resource.ts'
import type { Cursors } from '../../store/port/delivery.ts'
import type { Store } from '../../store/port.ts'
import type { Losses } from './losses.ts'

/** The stored records, and up to where every enabled job has passed them. */
export interface Positions {
  readonly jobIds: readonly number[]
  readonly stats: readonly PartitionStats[]
  /** Without jobs, the heads. A partition in which no job has a position yet is absent. */
  readonly lowest: Cursors
}

/** The jobs that wait for records: records that they have not delivered count as undelivered. */
export async function jobsOnRecords(store: {
  readonly jobs: Pick<Store['jobs'], 'listEnabled'>
}): Promise<readonly LogpushJob[]> {
  const enabled = await store.jobs.listEnabled()
  return enabled.filter(({ dataset }) => dataset !== 'audit_logs')
}

/** A paused job counts: its records wait until the quota needs their space. */
export async function positionsOn(store: Store, reader: RecordReader): Promise<Positions> {
  // Heads first: a job created after this line starts at or after them.
  const stats = await reader.stats()
  const jobIds = (await jobsOnRecords(store)).map(({ id }) => id)
  const heads = new Map(stats.map(({ partition, head }) => [partition, head]))
  return { jobIds, stats, lowest: jobIds.length === 0 ? heads : await store.delivery.lowest(jobIds) }
}

/** Releases the records that every enabled job has passed; without jobs, all records. */
export async function releaseDelivered(
  store: Store,
  reader: RecordReader,
  losses: Losses,
  { jobIds, stats, lowest }: Positions,
): Promise<void> {
  if (jobIds.length > 0) await losses.look(store, stats, jobIds, lowest)
  for (const { partition, head } of stats) {
    const delivered = Math.min(head, lowest.get(partition) ?? 0)
    if (delivered > 0) await reader.release(partition, delivered)
  }
}

/** The positions up to which the older half of the stored, undelivered records reaches. */
export function oldHalf({ stats, lowest }: Positions): Cursors {
  const half = new Map<string, number>()
  for (const { partition, first, head } of stats) {
    const passed = Math.max(first - 1, lowest.get(partition) ?? 0)
    half.set(partition, Math.ceil((passed + head) / 2))
  }
  return half
}
