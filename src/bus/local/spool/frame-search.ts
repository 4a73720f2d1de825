import { busLimits } from '../../limits.ts'
import { frameHeaderBytes, frameLength, incomplete } from './frame.ts'

export interface FoundFrame {
  readonly offset: number
  readonly sequence: number
  /** False when the frame extends beyond the searched bytes, so that its checksum could not be verified. */
  readonly whole: boolean
}

/**
 * The first frame at or after `from` whose sequence lies between two others. One pass. A checksum is computed only
 * where length and sequence are plausible; both contain NUL bytes, so text never is.
 * @param after sequence of the last record before; earlier ones are skipped
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
