import type { RecordReader } from '../../bus/port.ts'
import type { Store } from '../../store/port.ts'

/**
 * Tells the log what every enabled job has behind it; with no job, everything. A paused job holds nothing up: its
 * records are kept for the retention, as all are, and not until somebody mends it.
 */
export async function releaseDelivered(store: Store, reader: RecordReader): Promise<void> {
  // Heads first: a job that is made after this line starts at or after them.
  const heads = new Map<string, number>()
  for (const partition of await reader.partitions()) heads.set(partition, await reader.head(partition))
  const waiting = (await store.jobs.listEnabled()).filter(job => !job.paused && job.dataset !== 'audit_logs')
  const lowest = waiting.length === 0 ? heads : await store.delivery.lowest(waiting.map(({ id }) => id))
  for (const [partition, head] of heads) {
    const delivered = Math.min(head, lowest.get(partition) ?? 0)
    if (delivered > 0) await reader.release(partition, delivered)
  }
}
