import { stat } from 'node:fs/promises'
import { assert } from '../../../kit/assert.ts'
import type { OnFault } from '../../faults.ts'
import { busLimits } from '../../limits.ts'
import type { PartitionStats, SequencedRecord } from '../../port.ts'
import { frameBytesMax, frameHeaderBytes, frameLength, invalid, receivedMsAt, recordAt } from './frame.ts'
import { findFrame } from './frame-search.ts'
import { PartitionFiles } from './partition-files.ts'
import { readDelivered, readRemoved, writeDelivered } from './partition-marks.ts'
import { listSegments, segmentPath } from './segments.ts'

/** A position between two records. */
interface Position {
  /** First sequence of the segment. */
  readonly segment: number
  /** Offset in the segment, in bytes. */
  readonly offset: number
  /** Sequence of the record that is or will be there. */
  readonly next: number
}

/** The log ends before a position up to which it was read: it is no longer the same log. */
export class LogShrunkError extends Error {
  override readonly name = 'LogShrunkError'
  readonly head: number

  constructor(head: number) {
    super(`it ends at record ${head}`)
    this.head = head
  }
}

/** @returns whether to continue; a refused frame is not passed */
type Visit = (buffer: Buffer, offset: number, length: number, sequence: number) => boolean

/**
 * Reads one partition while a writer may be writing, in this process or another, and while segments may be removed.
 * Only complete frames with a valid checksum count as written. Calls must not overlap.
 */
export class PartitionReader {
  readonly #directory: string
  readonly #onFault: OnFault
  readonly #files: PartitionFiles
  /** Ends of earlier reads, by the next sequence; oldest first. A job continues where it stopped. */
  readonly #positions = new Map<number, Position>()
  /** First sequences of the losses that were reported. */
  readonly #reported = new Set<number>()
  readonly #buffer = Buffer.allocUnsafe(Math.max(frameBytesMax, 1024 * 1024))
  #segments: number[] = []
  #tail: Position | undefined

  constructor(directory: string, sync: boolean, onFault: OnFault) {
    this.#directory = directory
    this.#files = new PartitionFiles(directory, sync)
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

  async at(ms: number): Promise<number> {
    await this.#list()
    // The last segment that begins before the moment holds the record, or the next segment begins with it.
    let low = 0
    let high = this.#segments.length
    while (low < high) {
      const middle = (low + high) >> 1
      const firstMs = await this.#firstMs(this.#segments[middle]!)
      if (firstMs !== undefined && firstMs < ms) low = middle + 1
      else high = middle
    }
    const from = startOf(this.#segments[Math.max(0, low - 1)])
    if (from === undefined) return 1
    const found = await this.#walk(from, (buffer, offset) => receivedMsAt(buffer, offset) < ms)
    return found.next
  }

  /** @throws LogShrunkError */
  async read(
    afterSequence: number,
    limits: { readonly records: number; readonly bytes: number },
  ): Promise<readonly SequencedRecord[]> {
    const records: SequencedRecord[] = []
    let bytes = 0
    const from = await this.#find(afterSequence + 1)
    if (from === undefined) {
      if (afterSequence > 0) throw new LogShrunkError(0)
      return records
    }
    const end = await this.#walk(from, (buffer, offset, length, sequence) => {
      if (sequence <= afterSequence) return true
      bytes += length - frameHeaderBytes
      if (records.length > 0 && (bytes > limits.bytes || records.length >= limits.records)) return false
      const record = recordAt(buffer, offset, length)
      records.push({ sequence, receivedMs: receivedMsAt(buffer, offset), record })
      return true
    })
    // More records may follow the damage; the next writer reports them.
    if (end.next <= afterSequence && (await this.#isWholeTo(end))) throw new LogShrunkError(end.next - 1)
    this.#remember(end)
    return records
  }

  /** Stores, across restarts, how far records are delivered. */
  async release(sequence: number, isCurrent: () => boolean): Promise<void> {
    const known = readDelivered(this.#directory)
    if (sequence <= known) return
    // Future records are not delivered, regardless of the argument.
    const delivered = Math.min(sequence, await this.head())
    if (delivered > known && isCurrent()) writeDelivered(this.#directory, delivered)
  }

  async stats(partition: string): Promise<PartitionStats> {
    await this.#list()
    let bytes = 0
    for (const segment of this.#segments) bytes += await sizeOf(segmentPath(this.#directory, segment))
    let oldestMs: number | undefined
    for (const segment of this.#segments) {
      oldestMs = await this.#firstMs(segment)
      if (oldestMs !== undefined) break
    }
    const head = await this.head()
    return {
      partition,
      bytes,
      oldestMs: oldestMs ?? null,
      first: this.#segments[0] ?? head + 1,
      head,
      delivered: readDelivered(this.#directory),
      dropped: readRemoved(this.#directory).dropped,
    }
  }

  async close(): Promise<void> {
    await this.#files.close()
  }

  async #isWholeTo({ segment, offset }: Position): Promise<boolean> {
    return (await sizeOf(segmentPath(this.#directory, segment))) === offset
  }

  /** When the first record of a segment was received; undefined when it is unknown. */
  async #firstMs(segment: number): Promise<number | undefined> {
    const bytesRead = (await this.#files.read(segment, this.#buffer, 0)) ?? 0
    const length = frameLength(this.#buffer, 0, bytesRead, segment)
    return length > 0 ? receivedMsAt(this.#buffer, 0) : undefined
  }

  /** The nearest known position at or before a record; the oldest one when the record is gone. */
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

  /** Passes records from `from` on, through all segments, until `visit` refuses one or no more exist. */
  async #walk(from: Position, visit: Visit): Promise<Position> {
    let position = from
    for (;;) {
      // A segment has definitely ended only if the next one existed before we read to its end.
      const following = this.#segmentAfter(position)
      const passed = await this.#walkSegment(position, following, visit)
      if (passed !== undefined) {
        position = passed.position
        await this.#files.settle(position.segment, position.offset)
        if (passed.refused) break
        if (following !== undefined) {
          if (following !== position.next) this.#reportGap(position.next, following)
          position = startOf(following)!
          continue
        }
      }
      await this.#list()
      const next = this.#segmentAfter(position)
      if (next === undefined) break
      // Without its segment the position is meaningless; the process that removed it reported the loss.
      if (passed === undefined) position = startOf(next)!
    }
    if (this.#tail === undefined || position.next > this.#tail.next) this.#tail = position
    return position
  }

  #segmentAfter(position: Position): number | undefined {
    return this.#segments.find(first => first > position.segment)
  }

  /**
   * @param following the segment after this one, when this one is full
   * @returns undefined when the segment is gone
   */
  async #walkSegment(
    from: Position,
    following: number | undefined,
    visit: Visit,
  ): Promise<{ position: Position; refused: boolean } | undefined> {
    const { segment } = from
    let { offset, next } = from
    for (;;) {
      const bytesRead = await this.#files.read(segment, this.#buffer, offset)
      if (bytesRead === undefined) return this.#forget(segment)
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
      if (length !== invalid && at > 0) continue
      const behind =
        following === undefined || next >= following
          ? undefined
          : await this.#behindDamage(segment, offset + 1, next, following)
      if (behind === undefined) return { position: { segment, offset, next }, refused: false }
      this.#reportLoss(next, behind.next)
      offset = behind.offset
      next = behind.next
    }
  }

  /** The first record after damage in a full segment. */
  async #behindDamage(
    segment: number,
    from: number,
    next: number,
    following: number,
  ): Promise<Position | undefined> {
    let offset = from
    for (;;) {
      const bytesRead = (await this.#files.read(segment, this.#buffer, offset)) ?? 0
      if (bytesRead <= frameHeaderBytes) return undefined
      const found = findFrame(this.#buffer, 0, bytesRead, next, following)
      if (found?.whole) return { segment, offset: offset + found.offset, next: found.sequence }
      // A frame that begins here and does not end within a buffer of the longest length is invalid.
      if (found === undefined) offset += bytesRead - frameHeaderBytes + 1
      else offset += Math.max(1, found.offset)
    }
  }

  /** The segment was deleted. */
  async #forget(segment: number): Promise<undefined> {
    await this.#files.forget(segment)
    for (const [next, position] of this.#positions) {
      if (position.segment === segment) this.#positions.delete(next)
    }
  }

  async #list(): Promise<void> {
    const listed = await listSegments(this.#directory)
    // A segment that is counted as removed does not exist, even if a crash left its file.
    const { through } = readRemoved(this.#directory)
    const segments = listed.filter(
      (_, index) => index === listed.length - 1 || listed[index + 1]! - 1 > through,
    )
    const kept = new Set(segments)
    for (const segment of this.#segments) if (!kept.has(segment)) await this.#forget(segment)
    this.#segments = segments
  }

  /** Complete segments, or the end of one, are missing. Removed segments do not count as damage. */
  #reportGap(next: number, following: number): void {
    assert(following > next, 'a segment begins after the one before it')
    const { through } = readRemoved(this.#directory)
    if (through < following - 1) this.#reportLoss(Math.max(next, through + 1), following)
  }

  #reportLoss(first: number, following: number): void {
    if (this.#reported.has(first)) return
    this.#reported.add(first)
    this.#onFault({
      code: 'corrupt',
      message: `records ${first} to ${following - 1} in ${this.#directory} cannot be read and are skipped`,
      dropped: following - first,
    })
  }
}

function startOf(segment: number | undefined): Position | undefined {
  return segment === undefined ? undefined : { segment, offset: 0, next: segment }
}

/** 0 when it is gone. */
async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0
}
