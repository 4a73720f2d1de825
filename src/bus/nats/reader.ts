import { type Consumer, DeliverPolicy, type JsMsg } from '@nats-io/jetstream'
import { busLimits } from '../../kit/limits.ts'
import type { OnFault } from '../faults.ts'
import type { LogPolicy } from '../policy.ts'
import type { PartitionStats, RecordReader, SequencedRecord } from '../port.ts'
import { addConsumer, type JetStream, streamName, unavailable } from './connection.ts'

export const natsPartition = 'nats'

interface Limits {
  readonly records: number
  readonly bytes: number
}

/** A consumer that stands before the record `next`, and what it sent beyond the last read. */
interface Place {
  readonly consumer: Consumer
  /** Whether the consumer has sent nothing yet: then a gap is a gap in the stream. */
  fresh: boolean
  /** Whether messages went or may go missing, on the way or in the stream: a new consumer will tell. */
  broken: boolean
  next: number
  ahead: SequencedRecord[]
}

/**
 * Reads the stream from any sequence. A consumer is kept where each read ended, so that a job that reads on
 * costs one request. Calls go one after the other.
 */
export class NatsReader implements RecordReader {
  readonly #jetStream: JetStream
  readonly #policy: LogPolicy
  readonly #onFault: OnFault
  /** Released; 0 when this reader does not deliver. */
  #delivered = 0
  #dropped = 0
  /** Records up to here are gone and were looked at. */
  #gone = 0
  /** By the next sequence; oldest first. */
  readonly #places = new Map<number, Place>()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(jetStream: JetStream, policy: LogPolicy, onFault: OnFault) {
    this.#jetStream = jetStream
    this.#policy = policy
    this.#onFault = onFault
  }

  async partitions(): Promise<readonly string[]> {
    return [natsPartition]
  }

  async head(partition: string): Promise<number> {
    return partition === natsPartition ? (await this.#state()).last_seq : 0
  }

  read(partition: string, afterSequence: number, limits: Limits): Promise<readonly SequencedRecord[]> {
    if (partition !== natsPartition) return Promise.resolve([])
    const result = this.#turn.then(() => this.#read(afterSequence, limits))
    this.#turn = result.catch(() => {})
    return result
  }

  async at(partition: string, ms: number): Promise<number> {
    if (partition !== natsPartition) return 1
    const state = await this.#state()
    try {
      return (await this.#firstSince(ms)) ?? state.last_seq + 1
    } catch (error) {
      throw unavailable('records cannot be found', error)
    }
  }

  async release(partition: string, sequence: number): Promise<void> {
    if (partition !== natsPartition) return
    const state = await this.#state()
    // What went before the first release may have been delivered; nobody here knows.
    if (this.#delivered === 0) this.#gone = state.first_seq - 1
    this.#countGone(state.first_seq)
    this.#delivered = Math.max(this.#delivered, Math.min(sequence, state.last_seq))
    const beforeMs = Date.now() - this.#policy.ageMs
    if (state.messages === 0 || Date.parse(state.first_ts) > beforeMs) return
    try {
      const kept = (await this.#firstSince(beforeMs + 1)) ?? state.last_seq + 1
      const through = Math.min(kept - 1, this.#delivered)
      if (through < state.first_seq) return
      await this.#jetStream.manager.streams.purge(streamName, { seq: through + 1 })
    } catch (error) {
      throw unavailable('records cannot be released', error)
    }
  }

  async stats(): Promise<readonly PartitionStats[]> {
    const state = await this.#state()
    if (this.#delivered > 0) this.#countGone(state.first_seq)
    return [
      {
        partition: natsPartition,
        bytes: state.bytes,
        oldestMs: state.messages === 0 ? null : Date.parse(state.first_ts),
        head: state.last_seq,
        delivered: this.#delivered,
        dropped: this.#dropped,
      },
    ]
  }

  /** Counts what the server has removed for its quota before it was delivered. */
  #countGone(firstSequence: number): void {
    const lost = firstSequence - 1 - Math.max(this.#gone, this.#delivered)
    this.#gone = Math.max(this.#gone, firstSequence - 1)
    if (lost <= 0) return
    this.#dropped += lost
    const message = `log records up to ${firstSequence - 1}, ${lost} in all, were dropped by NATS before they were delivered`
    this.#onFault({ code: 'quota', message, dropped: lost })
  }

  /** Sequence of the first record received at a moment or later. */
  async #firstSince(ms: number): Promise<number | undefined> {
    const start = new Date(ms).toISOString()
    const consumer = await addConsumer(this.#jetStream, {
      deliver_policy: DeliverPolicy.StartTime,
      opt_start_time: start,
    })
    try {
      const info = await consumer.info()
      if (info.num_pending === 0) return undefined
      const first = await consumer.next({ expires: 2000 })
      // It is slow: that is not to be taken for the end of the stream.
      if (first === null) throw new Error('the server does not send a record that it has')
      return first.seq
    } finally {
      consumer.delete().catch(() => {})
    }
  }

  async close(): Promise<void> {
    await this.#turn
    for (const place of this.#places.values()) this.#drop(place)
    this.#places.clear()
  }

  async #state() {
    try {
      return (await this.#jetStream.manager.streams.info(streamName)).state
    } catch (error) {
      throw unavailable('the stream does not answer', error)
    }
  }

  async #read(afterSequence: number, limits: Limits): Promise<readonly SequencedRecord[]> {
    const state = await this.#state()
    if (state.messages === 0 || state.last_seq <= afterSequence) return []
    const from = Math.max(afterSequence + 1, state.first_seq)
    const kept = this.#places.get(from)
    this.#places.delete(from)
    if (kept !== undefined) {
      const records = await this.#readAt(kept, state.last_seq, limits).catch(() => undefined)
      if (records !== undefined) return records
      // The consumer is gone or has skipped something: a new one starts at the same record.
      this.#drop(kept)
    }
    try {
      const consumer = await addConsumer(this.#jetStream, {
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: from,
      })
      const place = { consumer, fresh: true, broken: false, next: from, ahead: [] }
      return await this.#readAt(place, state.last_seq, limits)
    } catch (error) {
      throw unavailable('records cannot be read', error)
    }
  }

  /** Reads on at a place and keeps it for the next read. */
  async #readAt(place: Place, lastSequence: number, limits: Limits): Promise<readonly SequencedRecord[]> {
    const budget = new Budget(limits)
    for (;;) {
      const taken = place.ahead.findIndex(record => !budget.take(record))
      if (taken !== -1) {
        place.ahead = place.ahead.slice(taken)
        break
      }
      place.ahead = []
      const wanted = place.broken ? 0 : Math.min(budget.recordsLeft(), lastSequence - place.next + 1)
      if (wanted <= 0) break
      await this.#fetch(place, wanted)
      if (place.ahead.length === 0) break
    }
    if (place.broken && budget.records.length === 0) throw new Error(`record ${place.next} went missing`)
    this.#keep(place, budget.records)
    return budget.records
  }

  async #fetch(place: Place, count: number): Promise<void> {
    const messages = await place.consumer.fetch({ max_messages: count, expires: 2000 })
    let missing = count
    for await (const message of messages) {
      place.broken = message.seq !== place.next && !place.fresh
      if (place.broken) break
      place.fresh = false
      place.next = message.seq + 1
      place.ahead.push(recordOf(message))
      missing--
      if (message.info.pending === 0) break
    }
    messages.stop()
    // The server would go on sending what is missing, to nobody.
    if (missing > 0) place.broken = true
  }

  #keep(place: Place, read: readonly SequencedRecord[]): void {
    const next = place.ahead[0]?.sequence ?? place.next
    if (place.broken || read.length === 0 || this.#places.has(next)) {
      this.#drop(place)
      return
    }
    this.#places.set(next, place)
    if (this.#places.size <= busLimits.readerPositionsMax) return
    for (const [oldest, dropped] of this.#places) {
      this.#places.delete(oldest)
      this.#drop(dropped)
      return
    }
  }

  /** The server forgets a consumer by itself, so a failure here costs nothing. */
  #drop(place: Place): void {
    place.consumer.delete().catch(() => {})
  }
}

function recordOf(message: JsMsg): SequencedRecord {
  return {
    sequence: message.seq,
    receivedMs: Math.floor(message.info.timestampNanos / 1e6),
    record: message.string(),
  }
}

/** Collects records until a limit is reached; the first always fits. */
class Budget {
  readonly records: SequencedRecord[] = []
  readonly #limits: Limits
  #bytes = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** @returns whether it still fitted */
  take(record: SequencedRecord): boolean {
    const bytes = this.#bytes + Buffer.byteLength(record.record)
    const full = bytes > this.#limits.bytes || this.records.length >= this.#limits.records
    if (full && this.records.length > 0) return false
    this.#bytes = bytes
    this.records.push(record)
    return true
  }

  /** How many more to ask for, judged by the size of those so far: what comes beyond has to wait in memory. */
  recordsLeft(): number {
    if (this.records.length === 0) return Math.min(firstFetch, Math.max(1, this.#limits.records))
    const bytesLeft = this.#limits.bytes - this.#bytes
    if (bytesLeft <= 0) return 0
    const fitting = Math.max(1, Math.floor((bytesLeft * this.records.length) / this.#bytes))
    return Math.min(this.#limits.records - this.records.length, fitting, busLimits.natsFetchMax)
  }
}

const firstFetch = 100
