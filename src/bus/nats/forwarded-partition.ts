import { crc32 } from 'node:zlib'
import { DeliverPolicy, DiscardPolicy, type StreamInfo } from '@nats-io/jetstream'
import type { FaultReport, OnFault } from '../faults.ts'
import { busLimits } from '../limits.ts'
import type { LogPolicy } from '../policy.ts'
import type { RecordReader, SequencedRecord } from '../port.ts'
import { readForwarded, type StreamPosition, writeForwarded } from './forwarded-mark.ts'
import type { NatsOptions } from './options.ts'
import { partitionOf } from './partition-of.ts'
import { addConsumer, type PartitionStream, setDiscard, streamEpoch } from './stream.ts'
import {
  clearRefused,
  freeCapacity,
  isLimitReached,
  messageBytesMax,
  raiseRefused,
} from './stream-capacity.ts'

export interface ForwarderDeps {
  /** The spool of this machine. */
  readonly spool: RecordReader
  readonly directory: string
  /** By partition, from 1. */
  readonly streams: readonly PartitionStream[]
  readonly options: NatsOptions
  readonly policy: LogPolicy
  /** Whether some job waits for the records; without one the oldest are deleted here, because the server deletes none. */
  readonly isWanted: () => boolean
  readonly onFault: OnFault
}

/** Bytes of a message besides the record: subject, headers. */
const messageOverheadBytes = 512

const messageId = 'Nats-Msg-Id'

/** Id, and sequence of the record. */
type PresentMessage = readonly [id: string, sequence: number]

/**
 * Moves the records of one partition of the spool, each exactly once. A message has the id of its record, which the
 * server recognises within its duplicate window, and a subject of its partition. After a start and after each
 * failure, the messages of this subject behind the last certain position show which records the streams have. The
 * others are sent, at any time later.
 */
export class ForwardedPartition {
  readonly #partition: string
  readonly #directory: string
  readonly #deps: ForwarderDeps
  readonly #faults: FaultReport
  #sequence: number
  /** Later messages of this subject that the streams have: ids with the sequences of their records. */
  #present: Map<string, number> = new Map()
  /** The streams have no record after #sequence behind these positions, except #present. */
  #positions: Map<string, StreamPosition>
  /** By stream, as at the last look. */
  readonly #messageBytesMax = new Map<string, number>()
  /** Whether the streams were looked at since the start or the last failure. */
  #looked = false
  #failing = false
  #notBeforeMs = 0
  #stored: number
  #storedMs = 0
  /** It has refused a message because a limit was reached. */
  #refused: PartitionStream | undefined
  /** Streams whose readers were informed that they refuse messages. */
  readonly #raised = new Set<PartitionStream>()
  /** Whether the log has the reason why a stream refuses although the oldest messages may be deleted. */
  #toldWhy = false

  /** @param delivered the mark of the spool */
  constructor(
    partition: string,
    directory: string,
    delivered: number,
    deps: ForwarderDeps,
    faults: FaultReport,
  ) {
    this.#partition = partition
    this.#directory = directory
    this.#deps = deps
    this.#faults = faults
    const forwarded = readForwarded(directory, partition)
    this.#sequence = Math.max(delivered, forwarded?.sequence ?? 0)
    this.#stored = delivered
    this.#positions = new Map(forwarded?.positions)
  }

  /** All records up to here are in the streams. */
  get sequence(): number {
    return this.#sequence
  }

  /** Moves the next records. Failures are reported. @returns whether there may be more */
  async forward(): Promise<boolean> {
    if (performance.now() < this.#notBeforeMs) return false
    const { spool } = this.#deps
    const limits = this.#failing ? firstAgain : batch
    try {
      const records = await spool.read(this.#partition, this.#sequence, limits)
      if (records.length > 0) await this.#move(records)
      if (performance.now() - this.#storedMs > busLimits.forwardStoreMs) await this.store()
      return records.length > 0
    } catch (error) {
      await this.#failed(error)
      return false
    }
  }

  /** Stores the position for the next start. The spool may remove the records that the streams have. */
  async store(): Promise<void> {
    this.#storedMs = performance.now()
    if (this.#sequence === this.#stored || this.#present.size > 0) return
    const [partition, sequence, positions] = [this.#partition, this.#sequence, this.#positions]
    await this.#deps.spool.release(partition, sequence)
    writeForwarded(this.#directory, { partition, sequence, positions })
    this.#stored = sequence
  }

  async #failed(error: unknown): Promise<void> {
    this.#looked = false
    const refused = this.#refused
    this.#refused = undefined
    // A server that cannot be asked says so at the next attempt.
    if (refused !== undefined && (await this.#makesSpace(refused).catch(() => false))) return
    this.#failing = true
    this.#faults.notForwarded(error)
    this.#notBeforeMs = performance.now() + busLimits.retryMs
  }

  async #move(records: readonly SequencedRecord[]): Promise<void> {
    if (!this.#looked) await this.#look()
    this.#looked = true
    const missing = records.filter(record => !this.#present.has(this.#idOf(record)))
    const sent = await Promise.allSettled(missing.map(record => this.#publish(record)))
    const ends = new Map<string, number>()
    for (const result of sent) {
      if (result.status === 'rejected') throw result.reason
      if (result.value !== undefined) {
        const { stream, sequence } = result.value
        ends.set(stream, Math.max(ends.get(stream) ?? 0, sequence))
      }
    }
    this.#sequence = records.at(-1)!.sequence
    for (const [id, sequence] of this.#present) if (sequence <= this.#sequence) this.#present.delete(id)
    this.#failing = false
    await Promise.all([...this.#raised].map(clearRefused))
    this.#raised.clear()
    if (this.#present.size > 0) return
    for (const [stream, sequence] of ends) {
      const known = this.#positions.get(stream)!
      this.#positions.set(stream, { ...known, sequence: Math.max(known.sequence, sequence) })
    }
  }

  /** @returns where it is; undefined when it is in no stream, because it is too long */
  async #publish(
    sequenced: SequencedRecord,
  ): Promise<{ readonly stream: string; readonly sequence: number } | undefined> {
    const { record } = sequenced
    const { streams, options } = this.#deps
    const number = partitionOf(record, options.partitions)
    const stream = streams[number - 1]!
    const { client, connection } = await stream.connected()
    const payloadMax = connection.info?.max_payload ?? Number.POSITIVE_INFINITY
    const bytesMax = Math.min(payloadMax, this.#messageBytesMax.get(stream.name)!) - messageOverheadBytes
    if (record.length * 3 > bytesMax && Buffer.byteLength(record) > bytesMax) {
      const reason = `a record of ${Buffer.byteLength(record)} bytes is longer than the stream ${stream.name} takes`
      this.#faults.add(1, `${reason}; see its max_bytes and max_msg_size, and max_payload of the server`)
      return undefined
    }
    try {
      const { seq } = await client.publish(this.#subject(number), record, {
        msgID: this.#idOf(sequenced),
        timeout: busLimits.natsAckMsMax,
        expect: { streamName: stream.name },
      })
      return { stream: stream.name, sequence: seq }
    } catch (error) {
      if (isLimitReached(error)) this.#refused = stream
      throw error
    }
  }

  /**
   * A restored or copied spool gives new records the numbers of earlier ones, under the same name. Their times and
   * checksums tell them apart.
   */
  #idOf({ sequence, receivedMs, record }: SequencedRecord): string {
    return `${this.#partition}.${sequence}.${receivedMs}.${crc32(record)}`
  }

  #subject(number: number): string {
    return `${this.#deps.options.subject}.${number}.${this.#partition}`
  }

  /** Finds the records that the streams have. */
  async #look(): Promise<void> {
    const head = await this.#deps.spool.head(this.#partition)
    const found = await Promise.all(
      this.#deps.streams.map((stream, index) => this.#lookAt(stream, index + 1, head)),
    )
    this.#present = new Map(found.flatMap(({ messages }) => messages))
    this.#positions = new Map(found.map(({ position }, index) => [this.#deps.streams[index]!.name, position]))
  }

  async #lookAt(
    stream: PartitionStream,
    number: number,
    head: number,
  ): Promise<{ readonly messages: readonly PresentMessage[]; readonly position: StreamPosition }> {
    const { policy } = this.#deps
    const info = await stream.made()
    const setting = setDiscard(stream, info, policy)
    // Where the oldest messages may be deleted, a refusal is reported when it comes.
    await (policy.full === 'refuse-requests' ? setting : setting.catch(() => {}))
    this.#messageBytesMax.set(stream.name, messageBytesMax(info))
    const after = this.#certain(stream, info)
    const position = { epoch: streamEpoch(info), sequence: after }
    const subject = this.#subject(number)
    const { manager } = await stream.connected()
    const last = await manager.streams.getMessage(stream.name, { last_by_subj: subject })
    if (last === null || last.seq <= after) return { messages: [], position }
    return { messages: await this.#messagesAfter(stream, subject, after, head), position }
  }

  /** The position up to which the stream has only records up to #sequence; 0 in another stream, or one that lost its end. */
  #certain({ name }: PartitionStream, info: StreamInfo): number {
    const known = this.#positions.get(name)
    return known?.epoch === streamEpoch(info) && known.sequence <= info.state.last_seq ? known.sequence : 0
  }

  /** @param head the newest record: messages of later ones are from a spool that was copied from or to this one */
  async #messagesAfter(
    stream: PartitionStream,
    subject: string,
    after: number,
    head: number,
  ): Promise<readonly PresentMessage[]> {
    const found: PresentMessage[] = []
    const consumer = await addConsumer(stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: after + 1,
      filter_subject: subject,
      headers_only: true,
    })
    try {
      let { num_pending: pending } = await consumer.info()
      while (pending > 0) {
        const before = pending
        const messages = await consumer.fetch({ max_messages: Math.min(pending, busLimits.natsFetchMax) })
        for await (const { headers, info } of messages) {
          const id = headers?.get(messageId) ?? ''
          const sequence = Number.parseInt(id.slice(this.#partition.length + 1), 10)
          if (sequence > this.#sequence && sequence <= head) found.push([id, sequence])
          pending = info.pending
        }
        if (pending === before) throw new Error('the server does not send the messages that it has')
      }
      return found
    } finally {
      consumer.delete().catch(() => {})
    }
  }

  /**
   * A stream has refused a message because a limit was reached. Where undelivered records are kept, delivery makes space.
   * @returns whether there is space now, because no job waits for the oldest records
   */
  async #makesSpace(stream: PartitionStream): Promise<boolean> {
    const { policy, isWanted } = this.#deps
    if (policy.full === 'drop-oldest') {
      await this.#tellWhy(stream)
      return false
    }
    if (isWanted()) {
      this.#raised.add(stream)
      await raiseRefused(stream)
      return false
    }
    const info = await stream.made()
    await freeCapacity(stream, info, info.state.last_seq, true)
    return true
  }

  /** Once: the owner of the setting stays the same. */
  async #tellWhy(stream: PartitionStream): Promise<void> {
    if (this.#toldWhy || (await stream.made()).config.discard !== DiscardPolicy.New) return
    this.#toldWhy = true
    this.#deps.onFault({
      code: 'write-failed',
      message: `the stream ${stream.name} is set to discard new messages, and stays so: it refuses log records while it is full. Set its discard to old if the oldest may be deleted, or SLUICE_SPOOL_FULL to refuse-requests`,
      dropped: 0,
    })
  }
}

const batch = { records: busLimits.forwardBatchRecords, bytes: busLimits.forwardBatchBytes }

/** After a failure few records show whether the server takes messages again. */
const firstAgain = { records: busLimits.forwardBatchRecords / 10, bytes: busLimits.forwardBatchBytes / 10 }
