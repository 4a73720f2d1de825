import { assert } from '../../kit/assert.ts'
import { newId } from '../../kit/ids.ts'
import { busLimits } from '../../kit/limits.ts'
import { DropReport, type OnFault, RecordLogError } from '../faults.ts'
import type { RecordWriter } from '../port.ts'
import { type JetStream, streamSubject } from './connection.ts'

interface QueuedRecord {
  /** From 1, in the order of the appends. */
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

/** What a message carries besides the record: subject, headers. */
const messageOverheadBytes = 512

/**
 * Publishes with a bounded number of messages in flight. A message that was not acknowledged is published
 * again under the same id, which the stream drops if it has it: true for as long as the stream remembers
 * ids, two minutes unless its owner set more.
 */
export class NatsWriter implements RecordWriter {
  readonly #jetStream: JetStream
  readonly #drops: DropReport
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
  #closed = false

  constructor(jetStream: JetStream, onFault: OnFault) {
    this.#jetStream = jetStream
    this.#drops = new DropReport(onFault)
  }

  append(record: string): void {
    assert(!this.#closed, 'the NATS writer is open')
    const bytes = Buffer.byteLength(record)
    if (bytes === 0 || bytes > this.#recordBytesMax()) {
      this.#drops.add(1, `a record of ${bytes} bytes`)
      return
    }
    if (this.#bytes + bytes > busLimits.queueBytesMax) {
      this.#drops.add(1, 'NATS does not take records and the queue is full')
      return
    }
    this.#bytes += bytes
    this.#queue.push({ number: ++this.#appended, text: record, bytes })
    this.#pump()
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
      this.#drops.add(this.#waiting(), 'the writer was closed while NATS did not take records')
      throw error
    } finally {
      clearTimeout(this.#retry)
      this.#drops.close()
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
      await this.#jetStream.client.publish(streamSubject, record.text, {
        msgID: `${this.#writerId}.${record.number}`,
        timeout: busLimits.natsAckMsMax,
      })
    } catch (error) {
      this.#inFlight--
      return this.#failed(record, error)
    }
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

  #failed(record: QueuedRecord, cause: unknown): void {
    if (this.#queueStart > 0) this.#queue[--this.#queueStart] = record
    else this.#queue.unshift(record)
    if (this.#retry === undefined) {
      this.#drops.writeFailed(cause)
      this.#retry = setTimeout(() => {
        this.#retry = undefined
        this.#pump()
      }, busLimits.retryMs)
    }
    const error = new RecordLogError('write-failed', 'NATS does not take records', { cause })
    for (const waiter of this.#waiters) waiter.reject(error)
    this.#waiters.clear()
  }
}
