import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

/** How far a partition of the spool is in the streams. */
export interface Forwarded {
  /** Name of the partition, with its epoch. */
  readonly partition: string
  /** All records up to this sequence are in the streams. */
  readonly sequence: number
  /** By stream. Messages with later records of the partition are behind these positions. */
  readonly positions: ReadonlyMap<string, StreamPosition>
}

/** A position in a stream. */
export interface StreamPosition {
  readonly epoch: string
  readonly sequence: number
}

/*
 * A file of the partition's directory: JSON, spaces up to a whole block, and a checksum. It is overwritten in place, so
 * that it can be written on a full disk. A file that is absent or damaged counts as none: the forwarder then looks
 * through the whole streams for the partition's last records.
 */
const fileName = 'forwarded'
const blockBytes = 512
const checksumBytes = 8

/** Undefined when it is unknown. @param partition a file about another log of the directory is none */
export function readForwarded(directory: string, partition: string): Forwarded | undefined {
  try {
    const text = readFileSync(join(directory, fileName), 'latin1')
    const json = text.slice(0, -checksumBytes)
    if (text.slice(-checksumBytes) !== checksumOf(json)) return undefined
    const { positions, ...forwarded } = JSON.parse(json)
    return forwarded.partition === partition ? { ...forwarded, positions: new Map(positions) } : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export function writeForwarded(directory: string, { partition, sequence, positions }: Forwarded): void {
  const json = JSON.stringify({ partition, sequence, positions: [...positions] })
  const blocks = Math.ceil((json.length + checksumBytes) / blockBytes)
  const padded = json.padEnd(blocks * blockBytes - checksumBytes)
  const fd = openSync(join(directory, fileName), constants.O_WRONLY | constants.O_CREAT, 0o600)
  try {
    writeSync(fd, `${padded}${checksumOf(padded)}`, 0, 'latin1')
    ftruncateSync(fd, blocks * blockBytes)
  } finally {
    closeSync(fd)
  }
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(checksumBytes, '0')
}
