import { crc32 } from 'node:zlib'
import { busLimits } from '../../limits.ts'

/**
 * One record in a segment file, little endian:
 *
 *   0  uint32  length of the record in bytes, from 1
 *   4  uint32  CRC-32 of bytes 8 to the end, begun with the length instead of 0
 *   8  uint48  sequence
 *  14  uint48  receivedMs
 *  20  record, UTF-8
 *
 * The CRC covers the length, so zeros (a file that grew before its bytes arrived) are no frame.
 */
export const frameHeaderBytes = 20

/** The longest possible frame. */
export const frameBytesMax = frameHeaderBytes + busLimits.recordBytesMax

/** @param recordBytes UTF-8 length of `record`; `target` has space for the header and these bytes */
export function writeFrame(
  target: Buffer,
  offset: number,
  sequence: number,
  receivedMs: number,
  record: string,
  recordBytes: number,
): void {
  target.writeUInt32LE(recordBytes, offset)
  target.writeUIntLE(sequence, offset + 8, 6)
  target.writeUIntLE(receivedMs, offset + 14, 6)
  target.write(record, offset + frameHeaderBytes, 'utf8')
  const end = offset + frameHeaderBytes + recordBytes
  target.writeUInt32LE(crc32(target.subarray(offset + 8, end), recordBytes), offset + 4)
}

export const incomplete = 0
export const invalid = -1

/**
 * Length of the frame at `offset`; `incomplete` when it extends beyond `end`; `invalid` when it is not the frame of
 * `sequence`.
 */
export function frameLength(source: Buffer, offset: number, end: number, sequence: number): number {
  if (end - offset < frameHeaderBytes) return incomplete
  const recordBytes = source.readUInt32LE(offset)
  if (recordBytes === 0 || recordBytes > busLimits.recordBytesMax) return invalid
  const frameEnd = offset + frameHeaderBytes + recordBytes
  if (frameEnd > end) return incomplete
  if (crc32(source.subarray(offset + 8, frameEnd), recordBytes) !== source.readUInt32LE(offset + 4))
    return invalid
  return source.readUIntLE(offset + 8, 6) === sequence ? frameEnd - offset : invalid
}

export function receivedMsAt(source: Buffer, offset: number): number {
  return source.readUIntLE(offset + 14, 6)
}

export function recordAt(source: Buffer, offset: number, length: number): string {
  return source.toString('utf8', offset + frameHeaderBytes, offset + length)
}
