import { type FieldPicker, type RecordHead, recordFields, recordHead } from '../../bus/index.ts'
import type { SequencedRecord } from '../../bus/port.ts'
import type { Clock } from '../../kit/clock.ts'
import type { LogRecord } from '../../model/dataset.ts'
import type { BatchRange, Cursors } from '../../store/port/delivery.ts'
import { logpushLimits } from '../limits.ts'
import type { RecordSource } from './source.ts'

/** The order of receipt in which records were emitted: the same object for all of them. */
export type Run = object

/** A record on its way to the jobs. */
export class StreamRecord {
  readonly partition: string
  readonly sequence: number
  readonly receivedMs: number
  /** A second read of a part of one run, from first to last record, gives the same order. */
  readonly run: Run
  readonly head: RecordHead
  readonly #text: string
  #fields: LogRecord | undefined
  #happenedMs: number | undefined
  /** Whether several jobs want it, so that parsing it once costs less than what each of them picks. */
  isShared = false

  constructor(partition: string, { sequence, receivedMs, record }: SequencedRecord, run: Run) {
    this.partition = partition
    this.run = run
    this.sequence = sequence
    this.receivedMs = receivedMs
    this.head = recordHead(record)
    this.#text = record
  }

  /** Parsed when the first job asks, once for all of them. */
  get fields(): LogRecord {
    this.#fields ??= recordFields(this.#text)
    return this.#fields
  }

  /** Its fields, or only those of the picker. */
  pick(picker: FieldPicker | undefined): LogRecord {
    if (this.#fields === undefined && !this.isShared && picker !== undefined) {
      const picked = picker.pick(this.#text)
      if (picked !== undefined) return picked
    }
    return this.fields
  }

  /**
   * When its event happened, or else was received, ms since the epoch; read once for all jobs.
   * @param time value of the dataset's field for the time of the event
   */
  happenedMs(time: unknown): number {
    this.#happenedMs ??= milliseconds(time) ?? this.receivedMs
    return this.#happenedMs
  }
}

/** Consecutive records. */
export interface Slice {
  readonly records: readonly StreamRecord[]
  /** Records between this slice's begin and the next that no longer exist or cannot be read. */
  readonly missing: readonly BatchRange[]
  /** There are no more records now. */
  readonly atEnd: boolean
  /** The position between `records[index - 1]` and `records[index]`. */
  before(index: number): Cursors
}

interface Lane {
  readonly partition: string
  /** Records that are read and not emitted yet begin at `at`. */
  queue: SequencedRecord[]
  at: number
  /** Everything up to here was emitted, or is missing. */
  sequence: number
  /** There was nothing after the queue … */
  atEnd: boolean
  /** … that was received before this moment. */
  seenMs: number
}

/**
 * Reads all partitions of a log as one stream, in the order of receipt as far as it is known: a record waits until no
 * partition can have an earlier one. Each call costs as much as the records that it returns. Calls must not overlap.
 */
export class MergedReader {
  readonly #source: RecordSource
  readonly #clock: Clock
  readonly #orderMs: number
  readonly #from: Cursors
  readonly #lanes = new Map<string, Lane>()
  /** Seen since the last slice. */
  #missing: BatchRange[] = []
  readonly #order = new Order()

  /** @param orderMs the age of a record at which all earlier records are known */
  constructor(source: RecordSource, from: Cursors, clock: Clock, orderMs: number) {
    this.#source = source
    this.#clock = clock
    this.#orderMs = orderMs
    this.#from = from
    for (const [partition, sequence] of from) this.#lanes.set(partition, laneAt(partition, sequence))
  }

  /** Everything up to here was emitted. */
  get position(): Cursors {
    return new Map(Array.from(this.#lanes.values(), lane => [lane.partition, lane.sequence]))
  }

  /**
   * The next records; empty when there are none yet.
   * @param until reads no further than this, and does not wait for the order of later records
   */
  async next(until?: Cursors): Promise<Slice> {
    const nowMs = this.#clock.nowMs()
    await this.#fillLanes(nowMs, until)
    const lanes = [...this.#lanes.values()].filter(lane => until === undefined || until.has(lane.partition))
    let horizonMs = until === undefined ? nowMs - this.#orderMs : Number.POSITIVE_INFINITY
    for (const lane of lanes)
      if (until === undefined && isEmpty(lane)) horizonMs = Math.min(horizonMs, lane.seenMs)
    const begin = this.position
    const missing = this.#missing
    this.#missing = []
    const { records, atEnd } = takeInOrder(lanes, horizonMs, nowMs, until, missing, this.#order)
    return { records, missing, atEnd, before: index => cursorsBefore(begin, records, index) }
  }

  async #fillLanes(nowMs: number, until: Cursors | undefined): Promise<void> {
    const partitions = await this.#source.partitions()
    for (const partition of partitions)
      if (!this.#lanes.has(partition))
        this.#lanes.set(partition, laneAt(partition, this.#from.get(partition) ?? 0))
    // A lost log has no positions. A range that must be read to its end gets the missing records reported.
    if (partitions.length > 0)
      for (const [partition, lane] of this.#lanes)
        if (isEmpty(lane) && !partitions.includes(partition) && !until?.has(partition))
          this.#lanes.delete(partition)
    const empty = [...this.#lanes.values()].filter(isEmpty)
    // All reads end before the next call, even when one fails.
    const fills = await Promise.allSettled(empty.map(lane => this.#fill(lane, nowMs, until)))
    for (const fill of fills) if (fill.status === 'rejected') throw fill.reason
  }

  async #fill(lane: Lane, nowMs: number, until: Cursors | undefined): Promise<void> {
    const last = until === undefined ? Number.POSITIVE_INFINITY : (until.get(lane.partition) ?? 0)
    lane.queue = []
    lane.at = 0
    lane.atEnd = false
    lane.seenMs = nowMs - this.#orderMs
    let after = lane.sequence
    // A position after the end of the log: the read shows whether the log has lost its end.
    if (after > last) await this.#source.read(lane.partition, after, { records: 1, bytes: 1 })
    let bytes = logpushLimits.sliceBytes
    while (after < last && lane.queue.length < logpushLimits.sliceRecords && bytes > 0) {
      const records = Math.min(logpushLimits.sliceRecords - lane.queue.length, last - after)
      const chunk = await this.#source.read(lane.partition, after, { records, bytes })
      const first = chunk[0]?.sequence
      lane.atEnd = first === undefined
      if (first === undefined || first > last) {
        if (until !== undefined && after === lane.sequence) this.#skipTo(lane, last)
        return
      }
      for (const record of chunk) {
        bytes -= record.record.length
        if (record.sequence <= last) lane.queue.push(record)
        after = record.sequence
      }
    }
  }

  /** No record of the requested range exists any more. */
  #skipTo(lane: Lane, last: number): void {
    miss(this.#missing, lane, last)
    lane.sequence = last
  }
}

/** Milliseconds of decimal nanoseconds, the form in records. */
function milliseconds(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{7,19}$/.test(value) ? Number(value.slice(0, -6)) : undefined
}

function laneAt(partition: string, sequence: number): Lane {
  return { partition, queue: [], at: 0, sequence, atEnd: false, seenMs: 0 }
}

function isEmpty(lane: Lane): boolean {
  return lane.at === lane.queue.length
}

/** Adds the records between a lane's position and `last`, which no longer exist. */
function miss(missing: BatchRange[], { partition, sequence }: Lane, last: number): void {
  if (last <= sequence) return
  const before = missing.at(-1)
  const goesOn = before?.partition === partition && before.last === sequence
  if (goesOn) missing[missing.length - 1] = { ...before, last }
  else missing.push({ partition, first: sequence + 1, last })
}

/**
 * Emits until one of the lanes has to be read again, or is at its end.
 * @param missing missing ranges are appended to it
 */
function takeInOrder(
  lanes: readonly Lane[],
  endMs: number,
  nowMs: number,
  until: Cursors | undefined,
  missing: BatchRange[],
  order: Order,
): Pick<Slice, 'records' | 'atEnd'> {
  const records: StreamRecord[] = []
  // Records of one moment in the same order each time.
  const open = lanes.filter(lane => !isEmpty(lane)).sort((a, b) => (a.partition < b.partition ? -1 : 1))
  let horizonMs = endMs
  // A read up to a known position is sorted by its own times, regardless of the clock.
  const presentMs = until === undefined ? nowMs : Number.POSITIVE_INFINITY
  while (open.length > 0) {
    const lane = earliest(open, presentMs)
    const next = lane.queue[lane.at]!
    if (timeOf(next, presentMs) > horizonMs) break
    const record = readable(lane.partition, next, order.runOf(lane.partition, next.receivedMs))
    miss(missing, lane, record === undefined ? next.sequence : next.sequence - 1)
    if (record !== undefined) records.push(record)
    lane.sequence = next.sequence
    lane.at++
    if (!isEmpty(lane)) continue
    if (until === undefined ? !lane.atEnd : lane.sequence < until.get(lane.partition)!)
      return { records, atEnd: false }
    if (until === undefined) horizonMs = Math.min(horizonMs, lane.seenMs)
    open.splice(open.indexOf(lane), 1)
  }
  return { records, atEnd: true }
}

/** Undefined when it is not a record: on a shared server any user may have written it. It must not stop the reader. */
function readable(partition: string, record: SequencedRecord, run: Run): StreamRecord | undefined {
  try {
    return new StreamRecord(partition, record, run)
  } catch {
    return undefined
  }
}

/**
 * Detects where the order of emitted records breaks: by a record that arrived too late, or by a clock that was set
 * back. Between two breaks the records are sorted by time and partition, so their order follows from the records
 * alone.
 */
class Order {
  #run: Run = {}
  #lastMs = Number.NEGATIVE_INFINITY
  #lastPartition = ''

  /** Order of the next record. */
  runOf(partition: string, receivedMs: number): Run {
    const breaks =
      receivedMs < this.#lastMs || (receivedMs === this.#lastMs && partition < this.#lastPartition)
    if (breaks) this.#run = {}
    this.#lastMs = receivedMs
    this.#lastPartition = partition
    return this.#run
  }
}

function earliest(lanes: readonly Lane[], nowMs: number): Lane {
  let best = lanes[0]!
  for (let index = 1; index < lanes.length; index++) {
    const lane = lanes[index]!
    if (timeOf(lane.queue[lane.at]!, nowMs) < timeOf(best.queue[best.at]!, nowMs)) best = lane
  }
  return best
}

/** Records that a clock dated in the future, before it was set back, do not wait for it. */
function timeOf(record: SequencedRecord, nowMs: number): number {
  return record.receivedMs > nowMs ? 0 : record.receivedMs
}

function cursorsBefore(begin: Cursors, records: readonly StreamRecord[], index: number): Cursors {
  const cursors = new Map(begin)
  for (let at = 0; at < index; at++) cursors.set(records[at]!.partition, records[at]!.sequence)
  return cursors
}
