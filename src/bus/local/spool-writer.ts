import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { assert } from '../../kit/assert.ts'
import { busLimits } from '../../kit/limits.ts'
import { DropReport, type OnFault, RecordLogError } from '../faults.ts'
import type { RecordWriter } from '../port.ts'
import { frameHeaderBytes, frameLength, writeFrame } from './frame.ts'
import { lockPartition } from './partition-lock.ts'
import { listSegmentsSync, segmentPath } from './segments.ts'

/**
 * Opens a partition for writing: cuts the torn record that the death of an earlier writer may have left and
 * goes on after the last whole one.
 * @throws RecordLogError `locked`, `unavailable`
 */
export async function openSpoolWriter(directory: string, onFault: OnFault): Promise<RecordWriter> {
  const unlock = await prepared(directory)
  try {
    return new SpoolWriter(directory, openNewest(directory), unlock, onFault)
  } catch (error) {
    unlock()
    throw new RecordLogError('unavailable', `cannot open the spool ${directory}`, { cause: error })
  }
}

async function prepared(directory: string): Promise<() => void> {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    return await lockPartition(directory)
  } catch (error) {
    if (error instanceof RecordLogError) throw error
    throw new RecordLogError('unavailable', `cannot open the spool ${directory}`, { cause: error })
  }
}

interface OpenSegment {
  readonly fd: number
  readonly bytes: number
  /** Sequence of the last whole record in it, or of the one before its first. */
  readonly last: number
}

function openNewest(directory: string): OpenSegment {
  const first = listSegmentsSync(directory).at(-1) ?? 1
  const fd = openSync(segmentPath(directory, first), 'a+', 0o600)
  try {
    const content = readFileSync(fd)
    let bytes = 0
    let next = first
    for (;;) {
      const length = frameLength(content, bytes, content.length, next)
      if (length <= 0) break
      bytes += length
      next++
    }
    if (bytes < content.length) ftruncateSync(fd, bytes)
    return { fd, bytes, last: next - 1 }
  } catch (error) {
    closeSync(fd)
    throw error
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
  readonly #unlock: () => void
  readonly #drops: DropReport
  #fd: number
  #segmentBytes: number
  /** Last sequence that is written whole, as of the last time the queue was empty. */
  #written: number
  /** Last sequence given to a record. */
  #appended: number
  #queue = Buffer.allocUnsafe(queueBytesAtRest)
  #start = 0
  #end = 0
  #turn: NodeJS.Immediate | undefined
  #retry: NodeJS.Timeout | undefined
  #closed = false

  constructor(directory: string, segment: OpenSegment, unlock: () => void, onFault: OnFault) {
    this.#directory = directory
    this.#unlock = unlock
    this.#drops = new DropReport(onFault)
    this.#fd = segment.fd
    this.#segmentBytes = segment.bytes
    this.#written = segment.last
    this.#appended = segment.last
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
    writeFrame(this.#queue, this.#end, ++this.#appended, Date.now(), record, recordBytes)
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
      closeSync(this.#fd)
      this.#unlock()
    }
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
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined
      this.#writeAfterTurn()
    }, busLimits.retryMs)
  }

  #write(): void {
    if (this.#start === this.#end) return
    // Only between groups: a group that has begun must end in the same file.
    if (this.#start === 0 && this.#segmentBytes >= busLimits.segmentBytes) this.#roll()
    while (this.#start < this.#end) {
      const bytes = writeSync(this.#fd, this.#queue, this.#start, this.#end - this.#start)
      this.#start += bytes
      this.#segmentBytes += bytes
    }
    this.#start = 0
    this.#end = 0
    this.#written = this.#appended
    if (this.#queue.length > 16 * queueBytesAtRest) this.#queue = Buffer.allocUnsafe(queueBytesAtRest)
  }

  #roll(): void {
    const fd = openSync(segmentPath(this.#directory, this.#written + 1), 'ax', 0o600)
    closeSync(this.#fd)
    this.#fd = fd
    this.#segmentBytes = 0
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#queue.length) return
    const wider = Buffer.allocUnsafe(Math.max(2 * this.#queue.length, this.#end + bytes))
    this.#queue.copy(wider, 0, 0, this.#end)
    this.#queue = wider
  }
}
