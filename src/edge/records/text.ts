import { textOfBytes } from '../../kit/bytes.ts'

/** Text of a byte string, for records; the same string when it is ASCII. */
export function asText(bytes: string): string {
  for (let at = 0; at < bytes.length; at++) if (bytes.charCodeAt(at) > 0x7f) return textOfBytes(bytes)
  return bytes
}

/** Text of a byte string that a stranger may have made as long as they like, cut to `bytesMax` bytes. */
export function cutAsText(bytes: string, bytesMax: number): string {
  return cutText(asText(bytes.length > bytesMax ? bytes.slice(0, bytesMax) : bytes), bytesMax)
}

/** The longest beginning of a text that has at most so many UTF-8 bytes and ends with a whole character. */
export function cutText(text: string, bytesMax: number): string {
  let bytes = 0
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at)!
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    if (bytes > bytesMax) return text.slice(0, at)
    at += code < 0x10000 ? 1 : 2
  }
  return text
}
