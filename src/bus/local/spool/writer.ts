import { mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { assert } from '../../../kit/assert.ts'
import { FaultReport, type OnFault, RecordLogError, reasonOf } from '../../faults.ts'
import { busLimits } from '../../limits.ts'
import type { LogPolicy } from '../../policy.ts'
import type { RecordWriter } from '../../port.ts'
import { makeEpoch, readEpoch, renewEpoch } from './epoch.ts'
import { frameHeaderBytes, writeFrame } from './frame.ts'
import { type OpenSegment, openNewestSegment } from './newest-segment.ts'
import { lockPartition } from './partition-lock.ts'
import { makeMarks, readDelivered } from './partition-marks.ts'
import { freeSpace, type KnownSegments } from './retention.ts'
import { segmentBytesFor, segmentPath } from './segments.ts'
import { SpoolSyncer, syncDirectory } from './sync.ts'

/**
 * Opens a partition for writing: truncates the torn record that a crashed writer may have left, and continues after
 * the last complete one.
 * @throws RecordLogError `locked`, `unavailable`
 */
export async function openSpoolWriter(
  directory: string,
  policy: LogPolicy,
  isWanted: () => boolean,
  onFault: OnFault,
): Promise<RecordWriter> {
  const unlock = await prepared(directory, policy)
  try {
    const segment = openNewestSegment(directory)
    // A reader has seen records that a power loss destroyed: their numbers are about to be assigned again.
    if (segment.last < readDelivered(directory))
      await renewEpoch(dirname(directory), directory, readEpoch(directory))
    const writer = new SpoolWriter(directory, segment, unlock, policy, isWanted, onFault)
    await writer.checkedSpace()
    return writer
  } catch (error) {
    unlock()
    throw new RecordLogError('unavailable', `cannot open the spool ${directory}`, { cause: error })
  }
}

async function prepared(directory: string, policy: LogPolicy): Promise<() => void> {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const unlock = await lockPartition(directory)
    makeMarks(directory)
    makeEpoch(directory)
    if (policy.sync !== 'never') await syncDirectory(dirname(directory))
    return unlock
  } catch (error) {
    if (error instanceof RecordLogError) throw error
    throw new RecordLogError('unavailable', `cannot open the spool ${directory}`, { cause: error })
  }
}

const queueBytesAtRest = 256 * 1024

/**
 * Frames queue up in one buffer; the first append of an event-loop turn schedules one write after it. Bytes that are
 * handed to the system survive a crash of the process. A failed or partial write leaves the rest in the buffer. The
 * next attempt continues at that byte, so a reader never sees the record of a sequence change.
 */
class SpoolWriter implements RecordWriter {
  readonly #directory: string
  readonly #policy: LogPolicy
  readonly #isWanted: () => boolean
  readonly #unlock: () => void
  readonly #onFault: OnFault
  readonly #faults: FaultReport
  readonly #syncer: SpoolSyncer
  #fd: number
  #segmentBytes: number
  #segmentBytesMax: number
  /** When its first record was received. */
  #segmentMs: number
  /** The next group goes into a new segment, regardless of the size of this one. */
  #leaveSegment: boolean
  /** Last sequence that is completely written, as of the last time the queue was empty. */
  #written: number
  /** Last assigned sequence, and when it was assigned. */
  #appended: number
  #appendedMs: number
  /** When the first record of the queue was received. */
  #queueMs = 0
  #queue = Buffer.allocUnsafe(queueBytesAtRest)
  #start = 0
  #end = 0
  #turn: NodeJS.Immediate | undefined
  /** Resolves when the records of this turn are written, or cannot be. */
  #turnOver: PromiseWithResolvers<void> | undefined
  #retry: NodeJS.Timeout | undefined
  #freeing: Promise<void> | undefined
  /** Checks again whether the quota allows more records. */
  #nextCheck: NodeJS.Timeout | undefined
  #full = false
  #rolledMeanwhile = false
  readonly #known: KnownSegments = new Map()
  #closed = false

  constructor(
    directory: string,
    segment: OpenSegment,
    unlock: () => void,
    policy: LogPolicy,
    isWanted: () => boolean,
    onFault: OnFault,
  ) {
    this.#directory = directory
    this.#policy = policy
    this.#isWanted = isWanted
    this.#unlock = unlock
    this.#onFault = onFault
    this.#faults = new FaultReport(onFault)
    this.#syncer = new SpoolSyncer(policy.sync, directory, segment.fd, error => this.#syncFailed(error))
    this.#fd = segment.fd
    this.#segmentBytes = segment.bytes
    this.#segmentBytesMax = segmentBytesFor(policy.bytes, 1)
    this.#segmentMs = segment.firstMs
    this.#leaveSegment = segment.damaged
    this.#written = segment.last
    this.#appended = segment.last
    this.#appendedMs = segment.lastMs
    this.#freeSpace(false)
  }

  get full(): string | undefined {
    if (!this.#keepsUndelivered()) return undefined
    if (this.#full)
      return `the spool is full: ${this.#policy.bytes} bytes (SLUICE_SPOOL_BYTES) of log records that a Logpush job has not delivered or NATS has not taken; fix or disable that job, or fix the server, or raise SLUICE_SPOOL_BYTES`
    if (this.#end - this.#start > busLimits.queueBytesMax - busLimits.queueReserveBytes)
      return 'log records cannot be written to the spool and wait in memory; free space on its disk'
    return undefined
  }

  /** Resolves when it is known whether the quota allows more records. */
  async checkedSpace(): Promise<void> {
    if (this.#keepsUndelivered()) await this.#freeing
  }

  append(record: string): void {
    assert(!this.#closed, 'the spool writer is open')
    const recordBytes = Buffer.byteLength(record)
    if (recordBytes === 0 || recordBytes > busLimits.recordBytesMax) {
      this.#faults.add(1, `a record of ${recordBytes} bytes`)
      return
    }
    const frameBytes = frameHeaderBytes + recordBytes
    if (this.#end - this.#start + frameBytes > busLimits.queueBytesMax) {
      this.#faults.add(1, 'the spool cannot be written and the queue is full')
      return
    }
    this.#reserve(frameBytes)
    const receivedMs = this.#nowMs()
    if (this.#end === 0) this.#queueMs = receivedMs
    writeFrame(this.#queue, this.#end, ++this.#appended, receivedMs, record, recordBytes)
    this.#end += frameBytes
    if (this.#retry === undefined) this.#turn ??= setImmediate(() => this.#writeAfterTurn())
  }

  handedOver(): Promise<void> {
    if (this.#turn === undefined) return Promise.resolve()
    this.#turnOver ??= Promise.withResolvers()
    return this.#turnOver.promise
  }

  async flush(): Promise<void> {
    try {
      this.#write()
    } catch (error) {
      this.#failed(error)
      throw new RecordLogError('write-failed', 'the spool cannot be written', { cause: error })
    }
    try {
      await this.#syncer.flushed()
    } catch (error) {
      throw new RecordLogError('write-failed', 'the spool cannot be synced', { cause: error })
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    try {
      await this.flush()
    } catch (error) {
      this.#faults.add(this.#appended - this.#written, 'the spool was closed while it could not be written')
      throw error
    } finally {
      clearImmediate(this.#turn)
      this.#turnOver?.resolve()
      clearTimeout(this.#retry)
      this.#faults.close()
      await this.#freeing
      clearTimeout(this.#nextCheck)
      await this.#syncer.close()
      this.#unlock()
    }
  }

  /** Never decreases when the clock is set back a little: reading by time depends on it. */
  #nowMs(): number {
    const nowMs = Date.now()
    const back = this.#appendedMs - nowMs
    if (back > 0 && back <= busLimits.clockStepMsMax) return this.#appendedMs
    this.#appendedMs = nowMs
    return nowMs
  }

  #writeAfterTurn(): void {
    this.#turn = undefined
    try {
      this.#write()
    } catch (error) {
      this.#failed(error)
    }
    this.#turnOver?.resolve()
    this.#turnOver = undefined
  }

  #failed(error: unknown): void {
    this.#faults.writeFailed(error)
    // Records that are kept only for replays are deleted in favour of new ones.
    if (isDiskFull(error)) this.#freeSpace(true)
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined
      this.#writeAfterTurn()
    }, busLimits.retryMs)
  }

  #write(): void {
    if (this.#start === this.#end) return
    // Only between groups, because a group must end in the file in which it began.
    if (this.#start === 0 && this.#segmentIsFull()) this.#roll()
    if (this.#segmentBytes === 0) this.#segmentMs = this.#queueMs
    while (this.#start < this.#end) {
      const bytes = writeSync(this.#fd, this.#queue, this.#start, this.#end - this.#start)
      this.#start += bytes
      this.#segmentBytes += bytes
    }
    this.#start = 0
    this.#end = 0
    this.#written = this.#appended
    if (this.#queue.length > 16 * queueBytesAtRest) this.#queue = Buffer.allocUnsafe(queueBytesAtRest)
    this.#syncer.wrote()
  }

  #segmentIsFull(): boolean {
    if (this.#segmentBytes === 0) return false
    const spanMs = Math.max(busLimits.segmentAgeMsMin, this.#policy.ageMs / busLimits.segmentAgeShare)
    return (
      this.#leaveSegment ||
      this.#segmentBytes >= this.#segmentBytesMax ||
      this.#queueMs - this.#segmentMs > spanMs
    )
  }

  #roll(): void {
    const fd = openSync(segmentPath(this.#directory, this.#written + 1), 'ax', 0o600)
    this.#syncer.next(fd)
    this.#fd = fd
    this.#segmentBytes = 0
    this.#leaveSegment = false
    this.#freeSpace(false)
  }

  /** Enforces the quota, in the background. */
  #freeSpace(diskFull: boolean): void {
    if (this.#freeing !== undefined) {
      this.#rolledMeanwhile = true
      return
    }
    this.#rolledMeanwhile = false
    const spool = dirname(this.#directory)
    const task = { quotaBytes: this.#policy.bytes, keepsUndelivered: this.#keepsUndelivered(), diskFull }
    this.#freeing = freeSpace(spool, task, this.#known, this.#onFault).then(
      ({ segmentBytes, full }) => {
        this.#freeing = undefined
        this.#segmentBytesMax = segmentBytes
        this.#full = full
        if (this.#rolledMeanwhile && !this.#closed) this.#freeSpace(false)
        else if (full) this.#lookAgain()
      },
      error => {
        this.#freeing = undefined
        this.#lookAgain()
        this.#faults.retentionFailed(error)
      },
    )
  }

  /** Only delivery frees space, and the writer gets no signal of it. */
  #lookAgain(): void {
    if (this.#closed || this.#policy.full === 'drop-oldest') return
    this.#nextCheck ??= setTimeout(() => {
      this.#nextCheck = undefined
      if (!this.#closed) this.#freeSpace(false)
    }, busLimits.capacityCheckMs).unref()
  }

  #keepsUndelivered(): boolean {
    return this.#policy.full === 'refuse-requests' && this.#isWanted()
  }

  #syncFailed(error: unknown): void {
    // The system may have discarded bytes that it could not sync: later records must not depend on them.
    this.#leaveSegment = true
    const message = `log records cannot be synced to the disk: ${reasonOf(error)}`
    this.#onFault({ code: 'sync-failed', message, dropped: 0, cause: error })
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#queue.length) return
    const wider = Buffer.allocUnsafe(Math.max(2 * this.#queue.length, this.#end + bytes))
    this.#queue.copy(wider, 0, 0, this.#end)
    this.#queue = wider
  }
}

function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
}
