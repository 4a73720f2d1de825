import { closeSync, ftruncateSync, openSync, readFileSync } from 'node:fs'
import { frameLength, receivedMsAt } from './frame.ts'
import { findFrame } from './frame-search.ts'
import { listSegmentsSync, segmentPath } from './segments.ts'

export interface OpenSegment {
  readonly fd: number
  readonly bytes: number
  /** Sequence of the last complete record in the segment, or of the one before its first. */
  readonly last: number
  /** When its first and last record were received; 0 without records. */
  readonly firstMs: number
  readonly lastMs: number
  /** Whether damaged bytes lie between records: nothing is appended to such a segment. */
  readonly damaged: boolean
}

/**
 * Opens the newest segment of a partition for appending, or creates the first. Bytes after the last complete record,
 * which a crashed writer may have left, are truncated. Damage between records is kept for readers to report. No other
 * segment is read.
 */
export function openNewestSegment(directory: string): OpenSegment {
  const first = listSegmentsSync(directory).at(-1) ?? 1
  const fd = openSync(segmentPath(directory, first), 'a+', 0o600)
  try {
    const content = readFileSync(fd)
    const scan = scanSegment(content, first)
    if (scan.bytes < content.length) ftruncateSync(fd, scan.bytes)
    return { fd, ...scan }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

function scanSegment(content: Buffer, first: number): Omit<OpenSegment, 'fd'> {
  let bytes = 0
  let next = first
  let firstMs = 0
  let lastMs = 0
  let damaged = false
  for (;;) {
    const length = frameLength(content, bytes, content.length, next)
    if (length > 0) {
      lastMs = receivedMsAt(content, bytes)
      if (firstMs === 0) firstMs = lastMs
      bytes += length
      next++
      continue
    }
    const found = wholeFrame(content, bytes + 1, next)
    if (found === undefined) return { bytes, last: next - 1, firstMs, lastMs, damaged }
    damaged = true
    bytes = found.offset
    next = found.sequence
  }
}

/** The next complete frame after damage; a segment has at most as many records as bytes. */
function wholeFrame(
  content: Buffer,
  from: number,
  next: number,
): { offset: number; sequence: number } | undefined {
  for (let offset = from; ; offset++) {
    const found = findFrame(content, offset, content.length, next, next + content.length)
    if (found === undefined || found.whole) return found
    offset = found.offset
  }
}
