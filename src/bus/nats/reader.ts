import { partName } from '../../model/log-name.ts'
import { splitPartitionName } from '../../model/partition-name.ts'
import type { OnFault } from '../faults.ts'
import { busLimits } from '../limits.ts'
import type { LogPolicy } from '../policy.ts'
import type { LogPart, PartitionStats, RecordReader, SequencedRecord } from '../port.ts'
import { partitionOfZone } from './partition-of.ts'
import type { Stream } from './stream.ts'
import { StreamReader } from './stream-reader.ts'

/** Name of the log, and of the one partition of versions before partitions. */
const natsName = 'nats'

interface Streams {
  /** By partition, from 1. */
  readonly partitions: readonly Stream[]
  readonly earlier: Stream
}

/** Reads the streams of all partitions, and the one stream of an earlier version as long as it exists. */
export class NatsReader implements RecordReader {
  readonly log = natsName
  readonly parts: readonly LogPart[]
  readonly #readers: readonly StreamReader[]
  readonly #earlier: StreamReader
  #earlierExists = false
  #lookedMs = Number.NEGATIVE_INFINITY

  constructor({ partitions, earlier }: Streams, policy: LogPolicy, onFault: OnFault) {
    this.#readers = partitions.map(
      (stream, index) => new StreamReader(`${natsName}-${index + 1}`, stream, policy, onFault),
    )
    this.#earlier = new StreamReader(natsName, earlier, policy, onFault)
    this.parts = [...this.#readers, this.#earlier].map((reader, index) => ({
      name: partName(natsName, reader.name),
      partitions: async () =>
        (await this.#all()).includes(reader) ? present([await reader.partition()]) : [],
      has: zone =>
        reader !== this.#earlier &&
        (zone === undefined || partitionOfZone(zone, partitions.length) === index + 1),
    }))
  }

  async partitions(): Promise<readonly string[]> {
    const readers = await this.#all()
    return present(await Promise.all(readers.map(reader => reader.partition()))).sort()
  }

  async head(partition: string): Promise<number> {
    return (await this.#of(partition)?.head(partition)) ?? 0
  }

  async at(partition: string, ms: number): Promise<number> {
    return (await this.#of(partition)?.at(partition, ms)) ?? 1
  }

  async read(
    partition: string,
    afterSequence: number,
    limits: { readonly records: number; readonly bytes: number },
  ): Promise<readonly SequencedRecord[]> {
    return (await this.#of(partition)?.read(partition, afterSequence, limits)) ?? []
  }

  async release(partition: string, sequence: number): Promise<void> {
    await this.#of(partition)?.release(partition, sequence)
  }

  async stats(): Promise<readonly PartitionStats[]> {
    return present(await Promise.all((await this.#all()).map(reader => reader.stats())))
  }

  async isFull(): Promise<boolean> {
    const full = await Promise.all((await this.#all()).map(reader => reader.isFull()))
    return full.includes(true)
  }

  async undeliveredShare(): Promise<number> {
    const shares = await Promise.all((await this.#all()).map(reader => reader.undeliveredShare()))
    return Math.max(...shares)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#readers, this.#earlier].map(reader => reader.close()))
  }

  #of(partition: string): StreamReader | undefined {
    const { name } = splitPartitionName(partition)
    return [...this.#readers, this.#earlier].find(reader => reader.name === name)
  }

  /** Looks now and then whether the earlier stream exists, and each time while it does: its owner may delete it. */
  async #all(): Promise<readonly StreamReader[]> {
    if (this.#earlierExists || performance.now() - this.#lookedMs > busLimits.natsEarlierMs) {
      this.#earlierExists = (await this.#earlier.partition()) !== undefined
      this.#lookedMs = performance.now()
    }
    return this.#earlierExists ? [...this.#readers, this.#earlier] : this.#readers
  }
}

/** Without those whose stream does not exist. */
function present<T>(all: readonly (T | undefined)[]): T[] {
  return all.filter(one => one !== undefined)
}
