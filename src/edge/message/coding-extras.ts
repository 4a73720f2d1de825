/**
 * Bytes that a coding carries beside its content. Decoders skip them, so rules do not see them, but an origin that ignores
 * `Content-Encoding` reads them. Only the file name of gzip is allowed.
 *
 * Only a decoder knows where a second member or frame begins. It is found here by its first bytes and a matching length
 * beside them: none is missed, and 1 MiB of compressed bytes contains a false match once in a million cases.
 */

/**
 * @param bytes the body in that coding
 * @param contentBytesMax longest decoded content that is inspected
 */
export function hasExtras(coding: string, bytes: Buffer, contentBytesMax: number): boolean {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return hasGzipExtras(bytes, contentBytesMax)
    case 'zstd':
      return hasSkippableFrame(bytes)
    default:
      return false
  }
}

/** RFC 1952 2.3.1. */
const gzipHeader = Buffer.of(0x1f, 0x8b, 0x08)
const gzipHeaderBytes = 10
const hasExtraField = 4
const hasName = 8
const hasComment = 16
const reserved = 0xe0

/** File names that cannot contain an injection. */
const plainName = /^[A-Za-z0-9 ._-]{0,255}$/

function hasGzipExtras(bytes: Buffer, contentBytesMax: number): boolean {
  for (let at = bytes.indexOf(gzipHeader); at >= 0; at = bytes.indexOf(gzipHeader, at + 1)) {
    const flags = bytes[at + 3] ?? 0
    if ((flags & reserved) !== 0) continue
    // A member ends with the length of its content.
    if (at > 0 && (at < gzipHeaderBytes || bytes.readUInt32LE(at - 4) > contentBytesMax)) continue
    if ((flags & (hasExtraField | hasComment)) !== 0) return true
    if ((flags & hasName) !== 0 && !plainName.test(nameAt(bytes, at + gzipHeaderBytes))) return true
  }
  return false
}

function nameAt(bytes: Buffer, start: number): string {
  const end = bytes.indexOf(0, start)
  return bytes.toString('latin1', start, end < 0 ? bytes.length : end)
}

/** RFC 8878 3.1.2: a byte from 0x50 to 0x5f, then these bytes, then the number of bytes to skip. */
const skippableFrame = Buffer.of(0x2a, 0x4d, 0x18)
const skippableHeaderBytes = 8

function hasSkippableFrame(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(skippableFrame); at >= 0; at = bytes.indexOf(skippableFrame, at + 1)) {
    const start = at - 1
    const dataStart = start + skippableHeaderBytes
    if (start < 0 || (bytes[start]! & 0xf0) !== 0x50 || dataStart > bytes.length) continue
    if (bytes.readUInt32LE(start + 4) <= bytes.length - dataStart) return true
  }
  return false
}
