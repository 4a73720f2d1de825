import { mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { assert } from '../../kit/assert.ts'
import { busLimits } from '../../kit/limits.ts'
import { DropReport, type OnFault, RecordLogError, reasonOf } from '../faults.ts'
import type { LogPolicy } from '../policy.ts'
import type { RecordWriter } from '../port.ts'
import { frameHeaderBytes, writeFrame } from './frame.ts'
import { type OpenSegment, openNewestSegment } from './newest-segment.ts'
import { lockPartition } from './partition-lock.ts'
import { makeMarks } from './partition-marks.ts'
import { segmentBytesFor, segmentPath } from './segments.ts'
import { type KnownSegments, makeRoom } from './spool-retention.ts'
import { SpoolSyncer, syncDirectory } from './spool-sync.ts'

/**
 * Opens a partition for writing: cuts the torn record that the death of an earlier writer may have left and
 * goes on after the last whole one.
 * @throws RecordLogError `locked`, `unavailable`
 */
export async function openSpoolWriter(
  directory: string,
  policy: LogPolicy,
  onFault: OnFault,
): Promise<RecordWriter> {
  const unlock = await prepared(directory, policy)
  try {
    return new SpoolWriter(directory, openNewestSegment(directory), unlock, policy, onFault)
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
    if (policy.sync !== 'never') await syncDirectory(dirname(directory))
    return unlock
  } catch (error) {
    if (error instanceof RecordLogError) throw error
    throw new RecordLogError('unavailable', `cannot open the spool ${directory}`, { cause: error })
  }
}

const queueBytesAtRest = 256 * 1024

/**
 * Frames queue up in one buffer; the first append of an event-loop turn arranges for one write after it.
 * Bytes that are handed to the system survive the death of the process. A write that fails, or that takes
 * only a part, leaves the rest in the buffer: the next attempt goes on at the very byte, so a reader never
 * sees a sequence change its record.
 */
class SpoolWriter implements RecordWriter {
  readonly #directory: string
  readonly #policy: LogPolicy
  readonly #unlock: () => void
  readonly #onFault: OnFault
  readonly #drops: DropReport
  readonly #syncer: SpoolSyncer
  #fd: number
  #segmentBytes: number
  #segmentBytesMax: number
  /** When its first record was received. */
  #segmentMs: number
  /** The next group goes into a new segment, whatever the size of this one. */
  #leaveSegment: boolean
  /** Last sequence that is written whole, as of the last time the queue was empty. */
  #written: number
  /** Last sequence given to a record, and when. */
  #appended: number
  #appendedMs: number
  /** When the first record of the queue was received. */
  #queueMs = 0
  #queue = Buffer.allocUnsafe(queueBytesAtRest)
  #start = 0
  #end = 0
  #turn: NodeJS.Immediate | undefined
  #retry: NodeJS.Timeout | undefined
  #makingRoom: Promise<void> | undefined
  #rolledMeanwhile = false
  readonly #known: KnownSegments = new Map()
  #closed = false

  constructor(
    directory: string,
    segment: OpenSegment,
    unlock: () => void,
    policy: LogPolicy,
    onFault: OnFault,
  ) {
    this.#directory = directory
    this.#policy = policy
    this.#unlock = unlock
    this.#onFault = onFault
    this.#drops = new DropReport(onFault)
    this.#syncer = new SpoolSyncer(policy.sync, directory, segment.fd, error => this.#syncFailed(error))
    this.#fd = segment.fd
    this.#segmentBytes = segment.bytes
    this.#segmentBytesMax = segmentBytesFor(policy.bytes, 1)
    this.#segmentMs = segment.firstMs
    this.#leaveSegment = segment.damaged
    this.#written = segment.last
    this.#appended = segment.last
    this.#appendedMs = segment.lastMs
    this.#makeRoom(false)
  }

  append(record: string): void {
    assert(!this.#closed, 'the spool writer is open')
    const recordBytes = Buffer.byteLength(record)
    if (recordBytes === 0 || recordBytes > busLimits.recordBytesMax) {
      this.#drops.add(1, `a record of ${recordBytes} bytes`)
      return
    }
    const frameBytes = frameHeaderBytes + recordBytes
    if (this.#end - this.#start + frameBytes > busLimits.queueBytesMax) {
      this.#drops.add(1, 'the spool cannot be written and the queue is full')
      return
    }
    this.#reserve(frameBytes)
    const receivedMs = this.#nowMs()
    if (this.#end === 0) this.#queueMs = receivedMs
    writeFrame(this.#queue, this.#end, ++this.#appended, receivedMs, record, recordBytes)
    this.#end += frameBytes
    if (this.#retry === undefined) this.#turn ??= setImmediate(() => this.#writeAfterTurn())
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
      this.#drops.add(this.#appended - this.#written, 'the spool was closed while it could not be written')
      throw error
    } finally {
      clearImmediate(this.#turn)
      clearTimeout(this.#retry)
      this.#drops.close()
      await this.#makingRoom
      await this.#syncer.close()
      this.#unlock()
    }
  }

  /** Does not go back when the clock is set back by a little: reading by time relies on it. */
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
  }

  #failed(error: unknown): void {
    this.#drops.writeFailed(error)
    // What is kept only to be delivered again gives way to what comes in.
    if (isDiskFull(error)) this.#makeRoom(true)
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined
      this.#writeAfterTurn()
    }, busLimits.retryMs)
  }

  #write(): void {
    if (this.#start === this.#end) return
    // Only between groups: a group that has begun must end in the same file.
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
    this.#makeRoom(false)
  }

  /** Keeps to the quota, in the background. */
  #makeRoom(diskFull: boolean): void {
    if (this.#makingRoom !== undefined) {
      this.#rolledMeanwhile = true
      return
    }
    this.#rolledMeanwhile = false
    const spool = dirname(this.#directory)
    this.#makingRoom = makeRoom(spool, this.#policy.bytes, diskFull, this.#known, this.#onFault).then(
      segmentBytesMax => {
        this.#makingRoom = undefined
        this.#segmentBytesMax = segmentBytesMax
        if (this.#rolledMeanwhile && !this.#closed) this.#makeRoom(false)
      },
      error => {
        this.#makingRoom = undefined
        const message = `old log records cannot be removed: ${reasonOf(error)}`
        this.#onFault({ code: 'retention-failed', message, dropped: 0, cause: error })
      },
    )
  }

  #syncFailed(error: unknown): void {
    // The system may have given up the bytes that it could not bring to the disk: what follows must not need them.
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
