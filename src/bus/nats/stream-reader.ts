import { type Consumer, DeliverPolicy, type JsMsg, type StreamInfo } from '@nats-io/jetstream'
import { partitionName, splitPartitionName } from '../../model/partition-name.ts'
import type { OnFault } from '../faults.ts'
import { busLimits } from '../limits.ts'
import type { LogPolicy } from '../policy.ts'
import type { PartitionStats, SequencedRecord } from '../port.ts'
import { unavailable } from './connection.ts'
import {
  addConsumer,
  type ConsumerStart,
  purgeBefore,
  renewStream,
  type Stream,
  streamEpoch,
} from './stream.ts'
import { freeCapacity, isRefused, isStreamFull, undeliveredShareOf } from './stream-capacity.ts'

interface Limits {
  readonly records: number
  readonly bytes: number
}

/** A consumer positioned before the record `next`, and the messages that it sent beyond the last read. */
interface KeptConsumer {
  readonly consumer: Consumer
  /** Whether the consumer has sent nothing yet: then a gap is a gap in the stream. */
  fresh: boolean
  /** Whether messages are or may be missing, in transit or in the stream: a new consumer will show it. */
  broken: boolean
  next: number
  ahead: SequencedRecord[]
}

/**
 * Reads the stream of one partition from any sequence. A consumer is kept where each read ended, so that a job that continues costs
 * one request. Calls run one after the other.
 */
export class StreamReader {
  /** Of the partition; readers use it with the epoch. */
  readonly name: string
  readonly #stream: Stream
  readonly #policy: LogPolicy
  readonly #onFault: OnFault
  /** The log that the following fields describe. */
  #epoch = ''
  /** Last released sequence; 0 when this reader does not deliver. */
  #delivered = 0
  #dropped = 0
  /** Records up to here are gone and were examined. */
  #gone = 0
  /** The newest record that was read. */
  #newest: Pick<SequencedRecord, 'sequence' | 'receivedMs'> | undefined
  /** The stream seems to have lost its end: it ended before this sequence, which was read. */
  #short: { readonly sequence: number; readonly sinceMs: number } | undefined
  /** By the next sequence; oldest first. */
  readonly #kept = new Map<number, KeptConsumer>()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(name: string, stream: Stream, policy: LogPolicy, onFault: OnFault) {
    this.name = name
    this.#stream = stream
    this.#policy = policy
    this.#onFault = onFault
  }

  /** The name with the current epoch; undefined when the stream does not exist. */
  async partition(): Promise<string | undefined> {
    return (await this.#log())?.partition
  }

  async head(partition: string): Promise<number> {
    const log = await this.#log()
    return log !== undefined && this.#isNamed(partition, log) ? log.state.last_seq : 0
  }

  read(partition: string, afterSequence: number, limits: Limits): Promise<readonly SequencedRecord[]> {
    const result = this.#turn.then(() => this.#read(partition, afterSequence, limits))
    this.#turn = result.catch(() => {})
    return result
  }

  async at(partition: string, ms: number): Promise<number> {
    const log = await this.#log()
    if (log === undefined || !this.#isNamed(partition, log)) return 1
    const { state } = log
    try {
      return (await this.#firstSince(ms)) ?? state.last_seq + 1
    } catch (error) {
      throw unavailable('records cannot be found', error)
    }
  }

  async release(partition: string, sequence: number): Promise<void> {
    const log = await this.#log()
    if (log === undefined || !this.#isNamed(partition, log)) return
    const { state } = log
    // Records before the first release may have been delivered; this reader cannot know.
    if (this.#delivered === 0) this.#gone = state.first_seq - 1
    this.#countGone(state.first_seq)
    this.#delivered = Math.max(this.#delivered, Math.min(sequence, state.last_seq))
    if (this.#policy.full === 'refuse-requests') await this.#freeCapacity(log)
    const beforeMs = Date.now() - this.#policy.ageMs
    if (state.messages === 0 || Date.parse(state.first_ts) > beforeMs) return
    try {
      const kept = (await this.#firstSince(beforeMs + 1)) ?? state.last_seq + 1
      const through = Math.min(kept - 1, this.#delivered)
      if (through < state.first_seq) return
      await purgeBefore(this.#stream, log, through + 1)
    } catch (error) {
      throw unavailable('records cannot be released', error)
    }
  }

  /** Undefined when the stream does not exist. */
  async stats(): Promise<PartitionStats | undefined> {
    const log = await this.#log()
    if (log === undefined) return undefined
    const { state, partition } = log
    if (this.#delivered > 0) this.#countGone(state.first_seq)
    return {
      partition,
      bytes: state.bytes,
      oldestMs: state.messages === 0 ? null : Date.parse(state.first_ts),
      first: state.messages === 0 ? state.last_seq + 1 : state.first_seq,
      head: state.last_seq,
      delivered: this.#delivered,
      dropped: this.#dropped,
    }
  }

  async isFull(): Promise<boolean> {
    if (this.#policy.full !== 'refuse-requests') return false
    const log = await this.#log()
    if (log === undefined) return false
    if (isStreamFull(log)) return true
    try {
      return await isRefused(this.#stream)
    } catch (error) {
      throw unavailable('it is unknown whether the stream is full', error)
    }
  }

  async undeliveredShare(): Promise<number> {
    // A limit of the account or the server shows only in refused messages.
    if (await this.isFull()) return 1
    const log = await this.#log()
    return log === undefined ? 0 : undeliveredShareOf(log, this.#delivered)
  }

  /** The server removes nothing by itself. */
  async #freeCapacity(log: Log): Promise<void> {
    try {
      await freeCapacity(this.#stream, log, this.#delivered, await isRefused(this.#stream))
    } catch (error) {
      throw unavailable('delivered records cannot be removed', error)
    }
  }

  /** Counts messages that the server removed for its quota before their delivery. */
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
    const first = await this.#first({ deliver_policy: DeliverPolicy.StartTime, opt_start_time: start })
    return first?.seq
  }

  /**
   * Whether the stream still has the newest record that was read. A server that lost its last messages assigns their
   * numbers again: the stream then has other records there, and its end need not lie before any position.
   */
  async #isSame({ state }: Log): Promise<boolean> {
    const newest = this.#newest
    if (newest === undefined || newest.sequence < state.first_seq || newest.sequence > state.last_seq)
      return true
    const found = await this.#first(startAt(newest.sequence))
    return found?.seq !== newest.sequence || recordOf(found).receivedMs === newest.receivedMs
  }

  async #first(start: ConsumerStart): Promise<JsMsg | undefined> {
    const consumer = await addConsumer(this.#stream, start)
    try {
      const info = await consumer.info()
      if (info.num_pending === 0) return undefined
      const first = await consumer.next({ expires: 2000 })
      // A slow server: do not take that for the end of the stream.
      if (first === null) throw new Error('the server does not send a record that it has')
      return first
    } finally {
      consumer.delete().catch(() => {})
    }
  }

  async close(): Promise<void> {
    await this.#turn
    this.#dropAll()
  }

  /** Undefined when the stream does not exist. */
  async #log(): Promise<Log | undefined> {
    const info = await this.#stream.info()
    if (info === undefined) return undefined
    const epoch = streamEpoch(info)
    if (epoch !== this.#epoch) {
      this.#epoch = epoch
      this.#delivered = 0
      this.#gone = 0
      this.#newest = undefined
      this.#short = undefined
      this.#dropAll()
    }
    return { ...info, partition: partitionName(this.name, epoch) }
  }

  /** Cursors of earlier versions have no epoch. */
  #isNamed(partition: string, log: Log): boolean {
    return partition === log.partition || partition === this.name
  }

  /**
   * A server that has just become the leader, or is no longer, can answer with an earlier end of the stream. So a loss
   * counts only once it has lasted.
   */
  #isShort(lastSequence: number, afterSequence: number): boolean {
    if (this.#short !== undefined && lastSequence >= this.#short.sequence) {
      this.#short = undefined
      // It may have other records there by now: the next read compares the newest one.
      this.#dropAll()
    }
    if (lastSequence >= afterSequence) return false
    this.#short ??= { sequence: afterSequence, sinceMs: performance.now() }
    return true
  }

  async #renew({ partition }: Log, loss: string): Promise<void> {
    try {
      await renewStream(this.#stream, splitPartitionName(partition).epoch)
    } catch (error) {
      throw unavailable('the stream has lost its end, and cannot be marked as another log', error)
    }
    const message = `the log ${partition} ${loss}: it is read from its start`
    this.#onFault({ code: 'reset', message, dropped: 0 })
  }

  async #read(partition: string, afterSequence: number, limits: Limits): Promise<readonly SequencedRecord[]> {
    const log = await this.#log()
    if (log === undefined || !this.#isNamed(partition, log)) return []
    const { state } = log
    if (partition === log.partition && this.#isShort(state.last_seq, afterSequence)) {
      if (performance.now() - this.#short!.sinceMs < busLimits.natsLossMs) return []
      await this.#renew(log, `ends at record ${state.last_seq} and was read up to ${afterSequence} before`)
      return []
    }
    if (state.messages === 0 || state.last_seq <= afterSequence) return []
    const from = Math.max(afterSequence + 1, state.first_seq)
    const kept = this.#kept.get(from)
    this.#kept.delete(from)
    if (kept !== undefined) {
      const records = await this.#readAt(kept, state.last_seq, limits).catch(() => undefined)
      if (records !== undefined) return records
      // The consumer is gone or has skipped messages: a new one starts at the same record.
      this.#drop(kept)
    }
    try {
      if (await this.#isSame(log)) {
        const started = await this.#consumerAt(from, log)
        return started === undefined ? [] : await this.#readAt(started, state.last_seq, limits)
      }
    } catch (error) {
      throw unavailable('records cannot be read', error)
    }
    await this.#renew(log, `has another record ${this.#newest?.sequence} than the one that was read before`)
    return []
  }

  /**
   * A consumer goes with its stream, so one made for a log reads no other. @returns undefined when the stream was
   * replaced before the consumer was made: it would read the new log under the name of the old one
   */
  async #consumerAt(next: number, { partition }: Log): Promise<KeptConsumer | undefined> {
    const consumer = await addConsumer(this.#stream, startAt(next))
    if ((await this.#log())?.partition !== partition) {
      consumer.delete().catch(() => {})
      return undefined
    }
    return { consumer, fresh: true, broken: false, next, ahead: [] }
  }

  /** Continues with a kept consumer and keeps it for the next read. */
  async #readAt(
    kept: KeptConsumer,
    lastSequence: number,
    limits: Limits,
  ): Promise<readonly SequencedRecord[]> {
    const budget = new Budget(limits)
    for (;;) {
      const taken = kept.ahead.findIndex(record => !budget.take(record))
      if (taken !== -1) {
        kept.ahead = kept.ahead.slice(taken)
        break
      }
      kept.ahead = []
      const wanted = kept.broken ? 0 : Math.min(budget.recordsLeft(), lastSequence - kept.next + 1)
      if (wanted <= 0) break
      await this.#fetch(kept, wanted)
      if (kept.ahead.length === 0) break
    }
    if (kept.broken && budget.records.length === 0) throw new Error(`record ${kept.next} went missing`)
    this.#keep(kept, budget.records)
    const last = budget.records.at(-1)
    if (last !== undefined && last.sequence > (this.#newest?.sequence ?? 0))
      this.#newest = { sequence: last.sequence, receivedMs: last.receivedMs }
    return budget.records
  }

  async #fetch(kept: KeptConsumer, count: number): Promise<void> {
    const messages = await kept.consumer.fetch({ max_messages: count, expires: 2000 })
    let missing = count
    for await (const message of messages) {
      kept.broken = message.seq !== kept.next && !kept.fresh
      if (kept.broken) break
      kept.fresh = false
      kept.next = message.seq + 1
      kept.ahead.push(recordOf(message))
      missing--
      if (message.info.pending === 0) break
    }
    messages.stop()
    // The server would continue to send the missing messages, unread.
    if (missing > 0) kept.broken = true
  }

  #keep(kept: KeptConsumer, read: readonly SequencedRecord[]): void {
    const next = kept.ahead[0]?.sequence ?? kept.next
    if (kept.broken || read.length === 0 || this.#kept.has(next)) {
      this.#drop(kept)
      return
    }
    this.#kept.set(next, kept)
    if (this.#kept.size <= busLimits.readerPositionsMax) return
    for (const [oldest, dropped] of this.#kept) {
      this.#kept.delete(oldest)
      this.#drop(dropped)
      return
    }
  }

  #dropAll(): void {
    for (const kept of this.#kept.values()) this.#drop(kept)
    this.#kept.clear()
  }

  /** The server removes idle consumers by itself, so a failure here costs nothing. */
  #drop(kept: KeptConsumer): void {
    kept.consumer.delete().catch(() => {})
  }
}

/** The log that the stream holds now. */
interface Log extends StreamInfo {
  readonly partition: string
}

function startAt(sequence: number): ConsumerStart {
  return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: sequence }
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

  /** @returns whether the record still fitted */
  take(record: SequencedRecord): boolean {
    const bytes = this.#bytes + Buffer.byteLength(record.record)
    const full = bytes > this.#limits.bytes || this.records.length >= this.#limits.records
    if (full && this.records.length > 0) return false
    this.#bytes = bytes
    this.records.push(record)
    return true
  }

  /** How many more to request, judged by the average size so far: surplus messages wait in memory. */
  recordsLeft(): number {
    if (this.records.length === 0) return Math.min(firstFetch, Math.max(1, this.#limits.records))
    const bytesLeft = this.#limits.bytes - this.#bytes
    if (bytesLeft <= 0) return 0
    const fitting = Math.max(1, Math.floor((bytesLeft * this.records.length) / this.#bytes))
    return Math.min(this.#limits.records - this.records.length, fitting, busLimits.natsFetchMax)
  }
}

const firstFetch = 100
