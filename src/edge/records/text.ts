import { textOfBytes } from '../../kit/bytes.ts'

/** The text of a byte string for records; the same string when it is ASCII. */
export function asText(bytes: string): string {
  // Other strings need more bytes than code units. Counting bytes is faster than checking each unit.
  return Buffer.byteLength(bytes) === bytes.length ? bytes : textOfBytes(bytes)
}

/** The text of a byte string of any length, cut to `bytesMax` bytes. */
export function cutAsText(bytes: string, bytesMax: number): string {
  return cutText(asText(bytes.length > bytesMax ? bytes.slice(0, bytesMax) : bytes), bytesMax)
}

/** The longest beginning of a text with at most `bytesMax` UTF-8 bytes and only whole characters. */
export function cutText(text: string, bytesMax: number): string {
  if (text.length * utf8BytesPerUnit <= bytesMax) return text
  let bytes = 0
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at)!
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    if (bytes > bytesMax) return text.slice(0, at)
    at += code < 0x10000 ? 1 : 2
  }
  return text
}

/** Of one UTF-16 code unit. */
const utf8BytesPerUnit = 3
