import { busLimits } from '../../kit/limits.ts'
import { frameHeaderBytes, frameLength, incomplete } from './frame.ts'

export interface FoundFrame {
  readonly offset: number
  readonly sequence: number
  /** False when it goes on after the end of what was searched, so that its checksum could not be tried. */
  readonly whole: boolean
}

/**
 * The first frame at or after `from` whose sequence lies between two others. One pass: a checksum is computed only
 * where a length and a sequence that fit stand, and text has neither, since both contain NUL bytes.
 * @param after sequence of the last record before; those are not wanted
 * @param before the sequence is smaller
 */
export function findFrame(
  source: Buffer,
  from: number,
  end: number,
  after: number,
  before: number,
): FoundFrame | undefined {
  for (let offset = from; offset + frameHeaderBytes <= end; offset++) {
    const recordBytes = source.readUInt32LE(offset)
    if (recordBytes === 0 || recordBytes > busLimits.recordBytesMax) continue
    const sequence = source.readUIntLE(offset + 8, 6)
    if (sequence <= after || sequence >= before) continue
    const length = frameLength(source, offset, end, sequence)
    if (length > 0) return { offset, sequence, whole: true }
    if (length === incomplete) return { offset, sequence, whole: false }
  }
  return undefined
}
