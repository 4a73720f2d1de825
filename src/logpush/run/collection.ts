import type { BatchRange, Cursors, Move } from '../../store/port/delivery.ts'
import { BatchBuilder, type BatchLimits } from '../batch/batch-builder.ts'
import type { MemoryAccount } from '../batch/batch-memory.ts'
import type { CompiledShape } from '../batch/shape.ts'
import { isAt, rangesBetween, rangesUpTo } from '../stream/cursors.ts'
import type { StreamRecord } from '../stream/merged-reader.ts'
import type { BatchBounds } from './uploader.ts'

/** Lines that are not in an upload yet. */
interface OpenBatch {
  readonly builder: BatchBuilder
  /** When its first line was added, ms since the epoch. */
  readonly sinceMs: number
}

/**
 * The lines that a job collects while it follows the stream, and the part of the log that they come from. A collection
 * ends when the job leaves the stream; its lines are read again then.
 */
export class Collection {
  /** Whether the stream has stated a time up to which all records have passed. Before, records can have any age. */
  knowsTime = false
  readonly #compiled: CompiledShape
  /** Revision of the job whose shape and position this is. The store refuses batches of another revision. */
  readonly #revision: number
  #batch: OpenBatch | undefined
  /** The next batch begins here. */
  #from: Cursors
  /** The position that the store has. */
  #stored: Cursors
  /** Last position that the stream has stated. */
  #to: Cursors
  /** Whether lines were added since the stream stated its position. */
  #ahead = false
  /** Missing records after `#from`. */
  #missing: readonly BatchRange[] = []

  constructor(compiled: CompiledShape, revision: number, from: Cursors) {
    this.#compiled = compiled
    this.#revision = revision
    this.#from = from
    this.#to = from
    this.#stored = from
  }

  get batch(): OpenBatch | undefined {
    return this.#batch
  }

  /** Position of the stream; undefined while lines beyond it were added. */
  get position(): Cursors | undefined {
    return this.#ahead ? undefined : this.#to
  }

  /** Whether the batch begins before one of these positions. */
  beginsBefore(positions: Cursors): boolean {
    for (const [partition, sequence] of positions)
      if ((this.#from.get(partition) ?? 0) < sequence) return true
    return false
  }

  keeps(record: StreamRecord): boolean {
    return this.#compiled.keeps(record)
  }

  begin(limits: BatchLimits, memory: MemoryAccount, nowMs: number): void {
    this.#batch = { builder: new BatchBuilder(this.#compiled, limits, memory), sinceMs: nowMs }
  }

  /** Its lines are not needed any more. */
  discard(): void {
    this.#batch?.builder.release()
  }

  /** Adds a record to the batch. */
  add(record: StreamRecord): void {
    this.#ahead = true
    this.#batch!.builder.add(record)
  }

  missed(ranges: readonly BatchRange[]): void {
    this.#missing = [...this.#missing, ...ranges]
  }

  passed(position: Cursors): void {
    this.#to = position
    this.#ahead = false
    // Missing records are counted with the move past them: by the batch around them, or by `moved`.
    if (this.#batch === undefined && this.#missing.length === 0) this.#from = position
  }

  /** Ends the batch at `to`; the next one begins there. */
  close(to: Cursors): BatchBounds {
    const ranges = rangesBetween(this.#from, to)
    const missing = rangesUpTo(this.#missing, to)
    this.#missing = this.#missing.filter(range => !missing.includes(range))
    this.#from = to
    this.#batch = undefined
    // If the batch fails, the collection ends.
    this.#stored = new Map([
      ...this.#stored,
      ...ranges.map(({ partition, last }) => [partition, last] as const),
    ])
    return { ranges, missing, revision: this.#revision }
  }

  /** The move to the position up to which the job had nothing to deliver, if the store is not there. @param hour `2026-08-12T22:00:00Z` */
  move(hour: string): Pick<Move, 'revision' | 'cursors' | 'missing'> | undefined {
    const ranges = rangesUpTo(this.#missing, this.#to)
    if (ranges.length === 0 && isAt(this.#stored, this.#from)) return undefined
    if (ranges.length === 0) return { revision: this.#revision, cursors: this.#from }
    return { revision: this.#revision, cursors: this.#to, missing: { hour, ranges } }
  }

  /** The store has made a move. */
  moved({ cursors, missing }: Pick<Move, 'cursors' | 'missing'>): void {
    this.#stored = new Map([...this.#stored, ...cursors])
    if (missing === undefined) return
    const known = new Set(this.#missing)
    // Otherwise a batch contains them by now, or they belong to an earlier collection.
    if (!missing.ranges.every(range => known.delete(range))) return
    this.#missing = [...known]
    this.#from = cursors
  }
}
