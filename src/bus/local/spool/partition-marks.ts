import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

/**
 * State of a partition beside its records: two small files, each a line of two numbers and their checksum. They are
 * overwritten in place, so that retention can write them on a full disk. A file that is absent or damaged counts as
 * zero: records are then kept for longer, never for less.
 */
type Mark = 'delivered' | 'removed'

/** Creates the files while the disk has space. */
export function makeMarks(directory: string): void {
  for (const mark of ['delivered', 'removed'] as const) {
    const [first, second] = read(directory, mark)
    write(directory, mark, first, second)
  }
}

/** The last delivered sequence; written by delivery only. */
export function readDelivered(directory: string): number {
  return read(directory, 'delivered')[0]
}

export function writeDelivered(directory: string, sequence: number): void {
  write(directory, 'delivered', sequence, 0)
}

/** The segments that retention has removed; written by the holder of the spool's lock. */
export interface Removed {
  /** All segments that end at this sequence or before are removed or about to be, and are not read. */
  readonly through: number
  /** How many of their records were undelivered. */
  readonly dropped: number
}

export function readRemoved(directory: string): Removed {
  const [through, dropped] = read(directory, 'removed')
  return { through, dropped }
}

/** Written before the segments are deleted: a segment that still exists is then known to be counted. */
export function writeRemoved(directory: string, { through, dropped }: Removed): void {
  write(directory, 'removed', through, dropped)
}

/** A read may see a write in progress; the checksum is then wrong, and the next read succeeds. */
const readAttempts = 10

function read(directory: string, mark: Mark): [number, number] {
  for (let reads = 0; reads < readAttempts; reads++) {
    let text: string
    try {
      text = readFileSync(join(directory, mark), 'latin1')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') break
      throw error
    }
    const first = Number(text.slice(0, 16))
    const second = Number(text.slice(17, 33))
    if (text === lineOf(first, second)) return [first, second]
  }
  return [0, 0]
}

function write(directory: string, mark: Mark, first: number, second: number): void {
  const fd = openSync(join(directory, mark), constants.O_WRONLY | constants.O_CREAT, 0o600)
  try {
    writeSync(fd, lineOf(first, second), 0, 'latin1')
  } finally {
    closeSync(fd)
  }
}

function lineOf(first: number, second: number): string {
  const numbers = `${String(first).padStart(16, '0')} ${String(second).padStart(16, '0')}`
  return `${numbers} ${crc32(numbers).toString(16).padStart(8, '0')}\n`
}
