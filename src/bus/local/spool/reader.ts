import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { partitionName, splitPartitionName } from '../../../model/partition-name.ts'
import type { OnFault } from '../../faults.ts'
import type { LogPolicy } from '../../policy.ts'
import type { LogPart, PartitionStats, RecordReader, SequencedRecord } from '../../port.ts'
import { readEpoch, renewEpoch } from './epoch.ts'
import { LogShrunkError, PartitionReader } from './partition-reader.ts'
import { type KnownSegments, removeDelivered, undeliveredShare } from './retention.ts'
import { isPartitionName, listSegmentsSync } from './segments.ts'

interface OpenPartition {
  readonly epoch: string
  readonly reader: PartitionReader
  /** Resolves when the earlier calls have ended. */
  turn: Promise<unknown>
}

/** Reads every partition of a spool; calls for one partition run one after the other. */
export class SpoolReader implements RecordReader {
  readonly log: string
  readonly parts: readonly LogPart[]
  readonly #directory: string
  readonly #policy: LogPolicy
  readonly #onFault: OnFault
  readonly #open = new Map<string, OpenPartition>()
  readonly #known: KnownSegments = new Map()

  constructor(log: string, directory: string, policy: LogPolicy, onFault: OnFault) {
    this.log = log
    this.parts = [{ name: log, partitions: () => this.partitions(), has: () => true }]
    this.#directory = directory
    this.#policy = policy
    this.#onFault = onFault
  }

  async partitions(): Promise<readonly string[]> {
    const entries = await readdir(this.#directory, { withFileTypes: true }).catch(noneWhenAbsent)
    return entries
      .filter(entry => entry.isDirectory() && isPartitionName(entry.name))
      .filter(({ name }) => hasSegments(join(this.#directory, name)))
      .map(({ name }) => ({ name, epoch: readEpoch(join(this.#directory, name)) }))
      .filter(({ name, epoch }) => epoch !== '' || !this.#hadEpoch(name))
      .map(({ name, epoch }) => partitionName(name, epoch))
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
    return this.#inTurn(partition, [], reader => reader.read(afterSequence, limits)).catch(async error => {
      if (!(error instanceof LogShrunkError)) throw error
      await this.#renew(partition, afterSequence, error.head)
      return []
    })
  }

  release(partition: string, sequence: number): Promise<void> {
    return this.#inTurn(partition, undefined, async (reader, isCurrent) => {
      await reader.release(sequence, isCurrent)
      const { name } = splitPartitionName(partition)
      await removeDelivered(this.#directory, name, Date.now() - this.#policy.ageMs)
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

  async isFull(): Promise<boolean> {
    return this.#policy.full === 'refuse-requests' && (await this.undeliveredShare()) > 1
  }

  async undeliveredShare(): Promise<number> {
    try {
      return undeliveredShare(this.#directory, this.#policy.bytes, this.#known)
    } catch (error) {
      // The spool does not exist yet, or its newest segment was followed by another one and removed meanwhile.
      return absent(error, 0)
    }
  }

  async close(): Promise<void> {
    for (const { reader, turn } of this.#open.values()) {
      await turn
      await reader.close()
    }
    this.#open.clear()
  }

  async #renew(partition: string, afterSequence: number, head: number): Promise<void> {
    const { name, epoch } = splitPartitionName(partition)
    const directory = join(this.#directory, name)
    if (!(await renewEpoch(this.#directory, directory, epoch))) return
    const message = `the log ${partition} ends at record ${head} and was read up to ${afterSequence} before: it is read from its start`
    this.#onFault({ code: 'reset', message, dropped: 0 })
  }

  /** @param none the answer for a partition that does not exist, or whose log has another epoch by now */
  #inTurn<T, None>(
    partition: string,
    none: None,
    call: (reader: PartitionReader, isCurrent: () => boolean) => Promise<T>,
  ): Promise<T | None> {
    const { name, epoch } = splitPartitionName(partition)
    if (!isPartitionName(name)) return Promise.resolve(none)
    const current = this.#epochOf(name)
    if (epoch !== '' && epoch !== current) return Promise.resolve(none)
    if (current === '' && this.#hadEpoch(name)) return Promise.resolve(none)
    const open = this.#partition(name, current)
    const isCurrent = () => this.#epochOf(name) === current
    const result = open.turn
      .then(() => call(open.reader, isCurrent))
      // The files can be those of the next log by now. Its epoch was there before its first record.
      .then(answer => (isCurrent() ? answer : none))
      .catch(error => absent(error, none))
    open.turn = result.catch(() => {})
    return result
  }

  #epochOf(name: string): string {
    return readEpoch(join(this.#directory, name))
  }

  /** A log that has lost its epoch is being removed, file by file: it is none of an earlier version, which has no epoch. */
  #hadEpoch(name: string): boolean {
    return (this.#open.get(name)?.epoch ?? '') !== ''
  }

  #partition(name: string, epoch: string): OpenPartition {
    const known = this.#open.get(name)
    if (known?.epoch === epoch) return known
    if (known !== undefined) void known.turn.then(() => known.reader.close())
    this.#known.clear()
    const reader = new PartitionReader(
      join(this.#directory, name),
      this.#policy.sync !== 'never',
      this.#onFault,
    )
    const opened: OpenPartition = { epoch, reader, turn: Promise.resolve() }
    this.#open.set(name, opened)
    return opened
  }
}

/**
 * A new log has its epoch before its first segment. Otherwise a reader could first read it under a name without an
 * epoch, like one of an earlier version, and then under its full name.
 */
function hasSegments(directory: string): boolean {
  try {
    return listSegmentsSync(directory).length > 0
  } catch (error) {
    return absent(error, false)
  }
}

function absent<T>(error: unknown, none: T): T {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return none
  throw error
}

function noneWhenAbsent(error: unknown): [] {
  return absent(error, [])
}
