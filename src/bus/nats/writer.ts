import { DiscardPolicy, JetStreamApiError, type StreamInfo } from '@nats-io/jetstream'
import { assert } from '../../kit/assert.ts'
import { newId } from '../../kit/ids.ts'
import { FaultReport, type OnFault, RecordLogError, reasonOf } from '../faults.ts'
import { busLimits } from '../limits.ts'
import type { LogPolicy } from '../policy.ts'
import type { RecordWriter } from '../port.ts'
import { type JetStream, setDiscard } from './connection.ts'
import { clearRefused, freeCapacity, isLimitReached, isStreamFull, raiseRefused } from './stream-capacity.ts'

interface QueuedRecord {
  /** Number of a record, from 1, in the order of the appends. */
  readonly number: number
  readonly text: string
  readonly bytes: number
}

interface FlushWaiter {
  /** The last record that it waits for. */
  readonly upTo: number
  remaining: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Bytes of a message besides the record: subject, headers. */
const messageOverheadBytes = 512

/**
 * Publishes with a bounded number of messages in flight. A message that was not acknowledged is published again under
 * the same id. The stream drops it if it has the id, which it remembers for its `duplicate_window`.
 */
export class NatsWriter implements RecordWriter {
  readonly #jetStream: JetStream
  readonly #onFault: OnFault
  readonly #faults: FaultReport
  readonly #writerId = newId()
  readonly #waiters = new Set<FlushWaiter>()
  /** Waiting to be published, from #queueStart on. */
  #queue: QueuedRecord[] = []
  #queueStart = 0
  /** Bytes queued and in flight. */
  #bytes = 0
  #inFlight = 0
  #appended = 0
  #retry: NodeJS.Timeout | undefined
  /** Whether undelivered messages are kept when the stream is full; writers then check the capacity. */
  #keepsUndelivered: (() => boolean) | undefined
  #nextCheck: NodeJS.Timeout | undefined
  #streamFull = false
  /** Why the server refused a record; cleared when it accepts one. */
  #refusal: string | undefined
  /** Whether a limit was the reason. */
  #limitReached = false
  /** Whether readers were informed. */
  #raised = false
  /** Why the server would drop undelivered messages. */
  #unsafe: string | undefined
  /** Whether the log reports why a stream refuses although the oldest messages may be deleted. */
  #toldWhy = false
  #closed = false

  constructor(jetStream: JetStream, onFault: OnFault) {
    this.#jetStream = jetStream
    this.#onFault = onFault
    this.#faults = new FaultReport(onFault)
  }

  get full(): string | undefined {
    if (this.#keepsUndelivered?.() !== true) return undefined
    const { stream } = this.#jetStream.options
    if (this.#unsafe !== undefined) return this.#unsafe
    if (this.#streamFull)
      return `the stream ${stream} is full of log records that a Logpush job has not delivered; fix or disable that job, or give the stream a larger max_bytes or max_msgs`
    if (this.#refusal !== undefined)
      return `NATS refuses log records: ${this.#refusal}; fix Logpush jobs that do not deliver, or raise that limit of the stream ${stream}, its account or its server`
    if (this.#bytes > busLimits.queueBytesMax - busLimits.queueReserveBytes)
      return 'NATS does not accept log records, and they wait in memory; check its server'
    return undefined
  }

  /**
   * From now on `full` reports when the stream has no capacity left. Resolves when that is known.
   * @param isWanted whether some job waits for the records; without one the oldest are removed here, because the
   *   server removes none by itself
   */
  async keepUndelivered(policy: LogPolicy, isWanted: () => boolean): Promise<void> {
    this.#keepsUndelivered = isWanted
    await this.#checkCapacity(policy)
  }

  append(record: string): void {
    assert(!this.#closed, 'the NATS writer is open')
    const bytes = Buffer.byteLength(record)
    if (bytes === 0 || bytes > this.#recordBytesMax()) {
      this.#faults.add(1, `a record of ${bytes} bytes`)
      return
    }
    if (this.#bytes + bytes > busLimits.queueBytesMax) {
      this.#faults.add(1, 'NATS does not accept records and the queue is full')
      return
    }
    this.#bytes += bytes
    this.#queue.push({ number: ++this.#appended, text: record, bytes })
    this.#pump()
  }

  handedOver(): Promise<void> {
    return new Promise(resolve => setImmediate(resolve))
  }

  flush(): Promise<void> {
    const remaining = this.#waiting()
    if (remaining === 0) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.#waiters.add({ upTo: this.#appended, remaining, resolve, reject })
    })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    try {
      await this.flush()
    } catch (error) {
      this.#faults.add(this.#waiting(), 'the writer was closed while NATS did not accept records')
      throw error
    } finally {
      clearTimeout(this.#retry)
      clearTimeout(this.#nextCheck)
      // Otherwise it expires by itself.
      if (this.#raised) await clearRefused(this.#jetStream).catch(() => {})
      this.#faults.close()
      this.#queue = []
      this.#queueStart = 0
    }
  }

  #waiting(): number {
    return this.#queue.length - this.#queueStart + this.#inFlight
  }

  #recordBytesMax(): number {
    const serverMax = this.#jetStream.connection.info?.max_payload ?? Number.POSITIVE_INFINITY
    return Math.min(busLimits.recordBytesMax, serverMax - messageOverheadBytes)
  }

  #pump(): void {
    if (this.#retry !== undefined) return
    while (this.#inFlight < busLimits.natsInFlightMax && this.#queueStart < this.#queue.length) {
      this.#inFlight++
      void this.#publish(this.#queue[this.#queueStart++]!)
    }
    if (this.#queueStart < busLimits.natsInFlightMax) return
    this.#queue = this.#queue.slice(this.#queueStart)
    this.#queueStart = 0
  }

  async #publish(record: QueuedRecord): Promise<void> {
    try {
      await this.#jetStream.client.publish(this.#jetStream.options.subject, record.text, {
        msgID: `${this.#writerId}.${record.number}`,
        timeout: busLimits.natsAckMsMax,
      })
    } catch (error) {
      this.#inFlight--
      return this.#failed(record, error)
    }
    this.#refusal = undefined
    this.#limitReached = false
    this.#inFlight--
    this.#bytes -= record.bytes
    this.#tellWaiters(record.number)
    this.#pump()
  }

  #tellWaiters(number: number): void {
    for (const waiter of this.#waiters) {
      if (number > waiter.upTo || --waiter.remaining > 0) continue
      this.#waiters.delete(waiter)
      waiter.resolve()
    }
  }

  async #goOn(): Promise<void> {
    // The stream may have been deleted. The next attempt shows whether it can be created again.
    const info = await this.#jetStream.stream().catch(() => undefined)
    if (this.#limitReached && info?.config.discard === DiscardPolicy.New) this.#tellWhy(info.config.name)
    this.#retry = undefined
    // Failed messages returned one by one.
    this.#queue = this.#queue.slice(this.#queueStart).sort((one, other) => one.number - other.number)
    this.#queueStart = 0
    this.#pump()
  }

  /** Reported once: the owner of the setting stays the same. */
  #tellWhy(stream: string): void {
    if (this.#toldWhy || this.#keepsUndelivered !== undefined) return
    this.#toldWhy = true
    this.#onFault({
      code: 'write-failed',
      message: `the stream ${stream} is set to discard new messages, and stays so: it refuses log records while it is full. Set its discard to old if the oldest may be deleted, or SLUICE_SPOOL_FULL to refuse-requests`,
      dropped: 0,
    })
  }

  async #checkCapacity(policy: LogPolicy): Promise<void> {
    try {
      const info = await this.#jetStream.stream()
      this.#streamFull = isStreamFull(info)
      await this.#setDiscard(info, policy)
      if (this.#keepsUndelivered?.() === false)
        await freeCapacity(this.#jetStream, info, info.state.last_seq, this.#limitReached)
      await this.#tellReaders()
    } catch {
      // The server reports refused records by itself.
    }
    if (!this.#closed)
      this.#nextCheck = setTimeout(() => void this.#checkCapacity(policy), busLimits.capacityCheckMs).unref()
  }

  /** Another process may have created the stream again. */
  async #setDiscard(info: StreamInfo, policy: LogPolicy): Promise<void> {
    try {
      await setDiscard(this.#jetStream, info, policy)
      this.#unsafe = undefined
    } catch (error) {
      this.#unsafe = reasonOf(error)
    }
  }

  /** Delivery frees capacity where no limit of the stream shows the need. */
  async #tellReaders(): Promise<void> {
    if (this.#limitReached) await raiseRefused(this.#jetStream)
    else if (this.#raised) await clearRefused(this.#jetStream)
    this.#raised = this.#limitReached
  }

  #failed(record: QueuedRecord, cause: unknown): void {
    if (this.#queueStart > 0) this.#queue[--this.#queueStart] = record
    else this.#queue.unshift(record)
    if (cause instanceof JetStreamApiError) {
      this.#refusal = cause.message
      this.#limitReached = isLimitReached(cause)
    }
    if (this.#retry === undefined) {
      this.#faults.writeFailed(cause)
      this.#retry = setTimeout(() => void this.#goOn(), busLimits.retryMs)
    }
    const error = new RecordLogError('write-failed', 'NATS does not accept records', { cause })
    for (const waiter of this.#waiters) waiter.reject(error)
    this.#waiters.clear()
  }
}
