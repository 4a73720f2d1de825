import type { RecordReader } from '../../bus/port.ts'
import { splitPartitionName } from '../../model/partition-name.ts'
import type { LostPosition } from '../../store/port/delivery.ts'
import type { Store } from '../../store/port.ts'

/**
 * Looks for logs that were lost or replaced since their positions were stored. Readers find the new log by
 * themselves, from its start, because they have no position in it. This class forgets the old positions and counts
 * the resets.
 */
export class Resets {
  readonly #store: Store
  readonly #reader: RecordReader
  readonly #onReset: ((position: LostPosition) => void) | undefined
  /** The partitions at the last look. */
  #known = ''

  constructor(store: Store, reader: RecordReader, onReset: ((position: LostPosition) => void) | undefined) {
    this.#store = store
    this.#reader = reader
    this.#onReset = onReset
  }

  /**
   * Called before a job takes its position in the log, and periodically. While the names of the partitions stay the
   * same, it costs one look at them.
   * @param hour `2026-08-12T22:00:00Z`
   */
  async look(hour: string): Promise<void> {
    if ((await this.#reader.partitions()).join() === this.#known) return
    const { delivery } = this.#store
    // In this order: a partition with a position exists now, or is gone. A partition created later is in neither
    // list.
    const positions = await delivery.positions()
    const partitions = await this.#reader.partitions()
    const lost = await delivery.reset(logsGone(positions, partitions), partitions, hour)
    this.#known = partitions.join()
    for (const position of lost) this.#onReset?.(position)
  }
}

/** Positions in earlier logs of the same name; nothing is known of other names. */
function logsGone(positions: readonly string[], partitions: readonly string[]): readonly string[] {
  const names = new Set(partitions.map(partition => splitPartitionName(partition).name))
  return positions.filter(
    position => names.has(splitPartitionName(position).name) && !partitions.includes(position),
  )
}
