import type { PartitionStats } from '../../bus/port.ts'
import type { BatchRange, Cursors } from '../../store/port/delivery.ts'
import type { Store } from '../../store/port.ts'

/** Records that were deleted before a job had delivered them. */
export interface Loss {
  readonly jobId: number
  readonly records: number
}

/**
 * Reports records that the quota deleted, or that cannot be read, before a job had delivered them. Each record is
 * reported once per job, as soon as the loss is seen, even while the job is paused.
 */
export class Losses {
  readonly #onLoss: (loss: Loss) => void
  /** Job and partition → everything up to here was reported, or exists. */
  readonly #reported = new Map<string, number>()

  constructor(onLoss: (loss: Loss) => void) {
    this.#onLoss = onLoss
  }

  see(jobId: number, ranges: readonly BatchRange[]): void {
    let records = 0
    for (const { partition, first, last } of ranges) {
      const key = `${jobId} ${partition}`
      const reported = this.#reported.get(key) ?? 0
      if (last <= reported) continue
      records += last - Math.max(first - 1, reported)
      this.#reported.set(key, last)
    }
    if (records > 0) this.#onLoss({ jobId, records })
  }

  /** Looks for jobs that have not reached the oldest stored record. */
  async look(
    store: Store,
    stats: readonly PartitionStats[],
    jobIds: readonly number[],
    lowest: Cursors,
  ): Promise<void> {
    if (!stats.some(({ partition, first }) => first - 1 > (lowest.get(partition) ?? first))) return
    for (const jobId of jobIds)
      this.see(jobId, lostRanges(stats, await store.delivery.cursors({ jobId, replay: 0 })))
  }
}

/**
 * The gap between a job's positions and the oldest stored records. A partition without a position is new to the job.
 */
export function lostRanges(
  stats: readonly { readonly partition: string; readonly first: number }[],
  cursors: Cursors,
): readonly BatchRange[] {
  return stats.flatMap(({ partition, first: kept }) => {
    const sequence = cursors.get(partition)
    return sequence === undefined || kept - 1 <= sequence
      ? []
      : [{ partition, first: sequence + 1, last: kept - 1 }]
  })
}
