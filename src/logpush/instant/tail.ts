import type { SequencedRecord } from '../../bus/port.ts'
import { nextTurn } from '../../kit/turns.ts'
import { instantLimits } from '../limits.ts'
import { newestOf, type RecordSource } from '../stream/source.ts'

/** How often the log is checked while it has nothing new, and after a failure. */
const pollMs = 100
const retryMs = 1000

export interface TailDeps {
  readonly source: RecordSource
  readonly onRecords: (partition: string, records: readonly SequencedRecord[]) => void
  readonly onError: (message: string, error?: unknown) => void
}

/**
 * Follows every partition of the log from its newest record until stopped. It may skip records: when it is too far
 * behind, and when they cannot be parsed.
 */
export class Tail {
  readonly #deps: TailDeps
  readonly #positions = new Map<string, number>()
  #stopped = false
  #failing = false
  #wake: () => void = () => {}
  /** Resolves once new records will be seen; rejects when the log cannot be read. */
  readonly ready: Promise<void>

  constructor(deps: TailDeps) {
    this.#deps = deps
    this.ready = this.#begin()
  }

  /** No record is passed on after this. */
  stop(): void {
    this.#stopped = true
    this.#wake()
  }

  async #begin(): Promise<void> {
    for (const [partition, sequence] of await newestOf(this.#deps.source))
      this.#positions.set(partition, sequence)
    void this.#run()
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const found = await this.#pass()
      if (!found) await this.#sleep(this.#failing ? retryMs : pollMs)
    }
  }

  /** @returns whether there were any records */
  async #pass(): Promise<boolean> {
    let found = false
    try {
      for (const partition of await this.#deps.source.partitions())
        if (await this.#readSome(partition)) found = true
      this.#failing = false
    } catch (error) {
      if (!this.#failing) this.#deps.onError('instant logs: the records cannot be read', error)
      this.#failing = true
      return false
    }
    return found
  }

  async #readSome(partition: string): Promise<boolean> {
    const { source, onRecords, onError } = this.#deps
    // A partition that did not exist at the beginning is new from its first record on.
    const after = this.#positions.get(partition) ?? 0
    const limits = { records: instantLimits.chunkRecords, bytes: instantLimits.chunkBytes }
    const records = await source.read(partition, after, limits)
    const last = records.at(-1)?.sequence
    if (last === undefined || this.#stopped) return false
    this.#positions.set(partition, last)
    try {
      onRecords(partition, records)
    } catch (error) {
      onError(`instant logs: records ${after + 1} to ${last} of ${partition} cannot be read`, error)
    }
    const head = await source.head(partition)
    if (head - last > instantLimits.behindRecordsMax) {
      onError(`instant logs: ${head - last} records of ${partition} arrived too fast and are skipped`)
      this.#positions.set(partition, head)
    }
    await nextTurn()
    return true
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#stopped) return
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = () => {}
  }
}
