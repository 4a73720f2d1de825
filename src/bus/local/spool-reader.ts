import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { OnFault } from '../faults.ts'
import type { LogPolicy } from '../policy.ts'
import type { PartitionStats, RecordReader, SequencedRecord } from '../port.ts'
import { PartitionReader } from './partition-reader.ts'
import { isPartitionName } from './segments.ts'
import { removeDelivered } from './spool-retention.ts'

interface OpenPartition {
  readonly reader: PartitionReader
  /** Ends when the calls so far have. */
  turn: Promise<unknown>
}

/** Reads every partition of a spool; calls for one partition go one after the other. */
export class SpoolReader implements RecordReader {
  readonly #directory: string
  readonly #policy: LogPolicy
  readonly #onFault: OnFault
  readonly #open = new Map<string, OpenPartition>()

  constructor(directory: string, policy: LogPolicy, onFault: OnFault) {
    this.#directory = directory
    this.#policy = policy
    this.#onFault = onFault
  }

  async partitions(): Promise<readonly string[]> {
    const entries = await readdir(this.#directory, { withFileTypes: true }).catch(noneWhenAbsent)
    return entries
      .filter(entry => entry.isDirectory() && isPartitionName(entry.name))
      .map(entry => entry.name)
      .sort()
  }

  head(partition: string): Promise<number> {
    return this.#inTurn(partition, 0, reader => reader.head())
  }

  at(partition: string, ms: number): Promise<number> {
    return this.#inTurn(partition, 1, reader => reader.at(ms))
  }

  read(
    partition: string,
    afterSequence: number,
    limits: { readonly records: number; readonly bytes: number },
  ): Promise<readonly SequencedRecord[]> {
    return this.#inTurn(partition, [], reader => reader.read(afterSequence, limits))
  }

  release(partition: string, sequence: number): Promise<void> {
    return this.#inTurn(partition, undefined, async reader => {
      await reader.release(sequence)
      await removeDelivered(this.#directory, partition, Date.now() - this.#policy.ageMs)
    })
  }

  async stats(): Promise<readonly PartitionStats[]> {
    const all: PartitionStats[] = []
    for (const partition of await this.partitions()) {
      const stats = await this.#inTurn(partition, undefined, reader => reader.stats(partition))
      if (stats !== undefined) all.push(stats)
    }
    return all
  }

  async close(): Promise<void> {
    for (const { reader, turn } of this.#open.values()) {
      await turn
      await reader.close()
    }
    this.#open.clear()
  }

  /** @param none the answer for a partition that does not exist */
  #inTurn<T, None>(
    partition: string,
    none: None,
    call: (reader: PartitionReader) => Promise<T>,
  ): Promise<T | None> {
    if (!isPartitionName(partition)) return Promise.resolve(none)
    const open = this.#partition(partition)
    const result = open.turn.then(() => call(open.reader)).catch(error => absent(error, none))
    open.turn = result.catch(() => {})
    return result
  }

  #partition(name: string): OpenPartition {
    const known = this.#open.get(name)
    if (known !== undefined) return known
    const reader = new PartitionReader(
      join(this.#directory, name),
      this.#policy.sync !== 'never',
      this.#onFault,
    )
    const opened: OpenPartition = { reader, turn: Promise.resolve() }
    this.#open.set(name, opened)
    return opened
  }
}

function absent<T>(error: unknown, none: T): T {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return none
  throw error
}

function noneWhenAbsent(error: unknown): [] {
  return absent(error, [])
}
