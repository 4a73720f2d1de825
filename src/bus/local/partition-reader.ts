import { type FileHandle, open, rm } from 'node:fs/promises'
import { assert } from '../../kit/assert.ts'
import { busLimits } from '../../kit/limits.ts'
import type { OnFault } from '../faults.ts'
import type { SequencedRecord } from '../port.ts'
import { frameBytesMax, frameHeaderBytes, frameLength, invalid, receivedMsAt, recordAt } from './frame.ts'
import { listSegments, segmentPath } from './segments.ts'

/** A place between two records. */
interface Position {
  /** First sequence of the segment. */
  readonly segment: number
  /** Bytes into the segment. */
  readonly offset: number
  /** Sequence of the record that is or will be there. */
  readonly next: number
}

/** @returns whether to go on; a frame that is refused is not passed */
type Visit = (buffer: Buffer, offset: number, length: number, sequence: number) => boolean

/**
 * Reads one partition while its writer may be writing, in this process or another. Whatever is not a whole
 * frame with a true checksum does not exist yet. Calls must not overlap.
 */
export class PartitionReader {
  readonly #directory: string
  readonly #onFault: OnFault
  readonly #handles = new Map<number, FileHandle>()
  /** Where reads ended, by the next sequence; oldest first. A job reads on where it stopped. */
  readonly #positions = new Map<number, Position>()
  readonly #reported = new Set<number>()
  readonly #buffer = Buffer.allocUnsafe(Math.max(frameBytesMax, 1024 * 1024))
  #segments: number[] = []
  #tail: Position | undefined

  constructor(directory: string, onFault: OnFault) {
    this.#directory = directory
    this.#onFault = onFault
  }

  async head(): Promise<number> {
    if (this.#tail === undefined || !this.#segments.includes(this.#tail.segment)) {
      await this.#list()
      this.#tail = startOf(this.#segments.at(-1))
      if (this.#tail === undefined) return 0
    }
    const end = await this.#walk(this.#tail, () => true)
    return end.next - 1
  }

  async read(
    afterSequence: number,
    limits: { readonly records: number; readonly bytes: number },
  ): Promise<readonly SequencedRecord[]> {
    const records: SequencedRecord[] = []
    let bytes = 0
    const from = await this.#find(afterSequence + 1)
    if (from === undefined) return records
    const end = await this.#walk(from, (buffer, offset, length, sequence) => {
      if (sequence <= afterSequence) return true
      bytes += length - frameHeaderBytes
      if (records.length > 0 && (bytes > limits.bytes || records.length >= limits.records)) return false
      const record = recordAt(buffer, offset, length)
      records.push({ sequence, receivedMs: receivedMsAt(buffer, offset), record })
      return true
    })
    this.#remember(end)
    return records
  }

  async release(sequence: number): Promise<void> {
    await this.#list()
    const kept = this.#segments.findLastIndex((first, index) => index === 0 || first - 1 <= sequence)
    for (const first of this.#segments.slice(0, Math.max(0, kept))) {
      await this.#forget(first)
      await rm(segmentPath(this.#directory, first), { force: true })
    }
  }

  async close(): Promise<void> {
    for (const handle of this.#handles.values()) await handle.close()
    this.#handles.clear()
  }

  /** The nearest known place at or before a record; the oldest one when the record is released. */
  async #find(next: number): Promise<Position | undefined> {
    const exact = this.#positions.get(next)
    if (exact !== undefined) return exact
    await this.#list()
    const segment = this.#segments.findLast(first => first <= next) ?? this.#segments[0]
    let best = startOf(segment)
    for (const position of this.#positions.values()) {
      if (position.segment === segment && position.next <= next && position.next > best!.next) best = position
    }
    return best
  }

  #remember(position: Position): void {
    this.#positions.delete(position.next)
    this.#positions.set(position.next, position)
    if (this.#positions.size <= busLimits.readerPositionsMax) return
    for (const oldest of this.#positions.keys()) return void this.#positions.delete(oldest)
  }

  /** Passes records from `from` on, through all segments, until `visit` refuses or there are no more. */
  async #walk(from: Position, visit: Visit): Promise<Position> {
    let position = from
    for (;;) {
      // A segment is at its end for good only if the next one was there before we read to its end.
      const following = this.#segments.find(first => first > position.segment)
      const passed = await this.#walkSegment(position, visit)
      position = passed.position
      if (passed.refused) break
      if (following !== undefined) {
        if (following !== position.next) this.#reportLoss(position, following)
        position = { segment: following, offset: 0, next: following }
        continue
      }
      await this.#list()
      if (!this.#segments.some(first => first > position.segment)) break
    }
    if (this.#tail === undefined || position.next > this.#tail.next) this.#tail = position
    return position
  }

  async #walkSegment(from: Position, visit: Visit): Promise<{ position: Position; refused: boolean }> {
    const { segment } = from
    const handle = await this.#handle(segment)
    let { offset, next } = from
    for (;;) {
      const { bytesRead } = await handle.read(this.#buffer, 0, this.#buffer.length, offset)
      let at = 0
      let length = frameLength(this.#buffer, at, bytesRead, next)
      while (length > 0) {
        if (!visit(this.#buffer, at, length, next)) {
          return { position: { segment, offset: offset + at, next }, refused: true }
        }
        at += length
        next++
        length = frameLength(this.#buffer, at, bytesRead, next)
      }
      offset += at
      if (length === invalid || at === 0) return { position: { segment, offset, next }, refused: false }
    }
  }

  async #handle(segment: number): Promise<FileHandle> {
    const known = this.#handles.get(segment)
    if (known !== undefined) return known
    const handle = await open(segmentPath(this.#directory, segment), 'r').catch(async error => {
      await this.#forget(segment)
      throw error
    })
    this.#handles.set(segment, handle)
    if (this.#handles.size > handlesMax) await this.#closeHandle(this.#handles.keys().next().value!)
    return handle
  }

  async #closeHandle(segment: number): Promise<void> {
    const handle = this.#handles.get(segment)
    this.#handles.delete(segment)
    await handle?.close()
  }

  async #forget(segment: number): Promise<void> {
    await this.#closeHandle(segment)
    this.#segments = this.#segments.filter(first => first !== segment)
    for (const [next, position] of this.#positions) {
      if (position.segment === segment) this.#positions.delete(next)
    }
  }

  async #list(): Promise<void> {
    this.#segments = await listSegments(this.#directory)
  }

  #reportLoss(position: Position, following: number): void {
    if (this.#reported.has(position.segment)) return
    assert(following > position.next, 'a segment begins after the one before it')
    this.#reported.add(position.segment)
    this.#onFault({
      code: 'corrupt',
      message: `records ${position.next} to ${following - 1} in ${this.#directory} cannot be read and are skipped`,
      dropped: following - position.next,
    })
  }
}

/** Open files of one partition: jobs are at a few places, mostly in the same segments. */
const handlesMax = 16

function startOf(segment: number | undefined): Position | undefined {
  return segment === undefined ? undefined : { segment, offset: 0, next: segment }
}
