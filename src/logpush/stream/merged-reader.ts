import { type RecordHead, recordFields, recordHead } from '../../bus/index.ts'
import type { SequencedRecord } from '../../bus/port.ts'
import type { Clock } from '../../kit/clock.ts'
import { logpushLimits } from '../../kit/limits.ts'
import type { LogRecord } from '../../model/dataset.ts'
import type { BatchRange, Cursors } from '../../store/port.ts'
import type { RecordSource } from './source.ts'

/** A record on its way to the jobs that want it. */
export class StreamRecord {
  readonly partition: string
  readonly sequence: number
  readonly receivedMs: number
  readonly head: RecordHead
  readonly #text: string
  #fields: LogRecord | undefined

  constructor(partition: string, { sequence, receivedMs, record }: SequencedRecord) {
    this.partition = partition
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
}

/** Some records that follow one another. */
export interface Slice {
  readonly records: readonly StreamRecord[]
  /** Records between its place and the one after it that are not kept any more or cannot be read. */
  readonly missing: readonly BatchRange[]
  /** There is nothing more to hand out now. */
  readonly atEnd: boolean
  /** The place between `records[index - 1]` and `records[index]`. */
  before(index: number): Cursors
}

interface Lane {
  readonly partition: string
  /** What was read and not given out yet begins at `at`. */
  queue: SequencedRecord[]
  at: number
  /** Everything up to here was given out, or is missing. */
  sequence: number
  /** Behind the queue there was nothing … */
  atEnd: boolean
  /** … of what was received before this moment. */
  seenMs: number
}

/**
 * Reads all partitions of a log as one stream, in the order in which their records were received as far as that is
 * known: a record waits until none that was received before it can come from another partition. Each call costs the
 * records that it gives out; calls must not overlap.
 */
export class MergedReader {
  readonly #source: RecordSource
  readonly #clock: Clock
  readonly #orderMs: number
  readonly #from: Cursors
  readonly #lanes = new Map<string, Lane>()
  /** Seen since the last slice. */
  #missing: BatchRange[] = []

  /** @param orderMs how old a record has to be before it can be told what was received before it */
  constructor(source: RecordSource, from: Cursors, clock: Clock, orderMs: number) {
    this.#source = source
    this.#clock = clock
    this.#orderMs = orderMs
    this.#from = from
    for (const [partition, sequence] of from) this.#lanes.set(partition, laneAt(partition, sequence))
  }

  /** Everything up to here was given out. */
  get position(): Cursors {
    return new Map(Array.from(this.#lanes.values(), lane => [lane.partition, lane.sequence]))
  }

  /**
   * The next records; none when there are none (yet).
   * @param until reads no further than this, and does not wait for the order of what comes behind it
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
    const { records, atEnd } = takeInOrder(lanes, horizonMs, nowMs, until, missing)
    return { records, missing, atEnd, before: index => placeBefore(begin, records, index) }
  }

  async #fillLanes(nowMs: number, until: Cursors | undefined): Promise<void> {
    for (const partition of await this.#source.partitions())
      if (!this.#lanes.has(partition))
        this.#lanes.set(partition, laneAt(partition, this.#from.get(partition) ?? 0))
    const empty = [...this.#lanes.values()].filter(isEmpty)
    // All of them end before anybody reads again, also when one fails.
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

  /** Nothing of what was to be read is there any more. */
  #skipTo(lane: Lane, last: number): void {
    miss(this.#missing, lane, last)
    lane.sequence = last
  }
}

function laneAt(partition: string, sequence: number): Lane {
  return { partition, queue: [], at: 0, sequence, atEnd: false, seenMs: 0 }
}

function isEmpty(lane: Lane): boolean {
  return lane.at === lane.queue.length
}

/** Adds what lies between a lane's place and `last`, which is there no more. */
function miss(missing: BatchRange[], { partition, sequence }: Lane, last: number): void {
  if (last <= sequence) return
  const before = missing.at(-1)
  const goesOn = before?.partition === partition && before.last === sequence
  if (goesOn) missing[missing.length - 1] = { ...before, last }
  else missing.push({ partition, first: sequence + 1, last })
}

/**
 * Until one of the lanes has to be read again, or comes to its end.
 * @param missing is added to
 */
function takeInOrder(
  lanes: readonly Lane[],
  endMs: number,
  nowMs: number,
  until: Cursors | undefined,
  missing: BatchRange[],
): Pick<Slice, 'records' | 'atEnd'> {
  const records: StreamRecord[] = []
  // Those of one moment in the same order each time.
  const open = lanes.filter(lane => !isEmpty(lane)).sort((a, b) => (a.partition < b.partition ? -1 : 1))
  let horizonMs = endMs
  while (open.length > 0) {
    const lane = earliest(open, nowMs)
    const next = lane.queue[lane.at]!
    if (timeOf(next, nowMs) > horizonMs) break
    const record = readable(lane.partition, next)
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

/** Undefined when it is no record: on a shared server anybody may have written it. One of them stops nobody. */
function readable(partition: string, record: SequencedRecord): StreamRecord | undefined {
  try {
    return new StreamRecord(partition, record)
  } catch {
    return undefined
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

/** What a clock that was set back has left in the future does not wait for it. */
function timeOf(record: SequencedRecord, nowMs: number): number {
  return record.receivedMs > nowMs ? 0 : record.receivedMs
}

function placeBefore(begin: Cursors, records: readonly StreamRecord[], index: number): Cursors {
  const place = new Map(begin)
  for (let at = 0; at < index; at++) place.set(records[at]!.partition, records[at]!.sequence)
  return place
}
