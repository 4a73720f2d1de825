import { hexValue, isAlphanumeric } from './ascii.ts'

/**
 * One spelling of each path: percent-encoded unreserved bytes decoded, other escapes in upper case (RFC 3986 6.2.2), and
 * bytes that URLs must not contain percent-encoded. Malformed escapes stay as they are.
 */
export function withUniformEscapes(path: string): string {
  let result = ''
  let copied = 0
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at)
    let shown: string
    let end = at + 1
    if (code === 0x25) {
      const high = hexValue(path.charCodeAt(at + 1))
      const low = hexValue(path.charCodeAt(at + 2))
      if (high < 0 || low < 0) continue
      const byte = high * 16 + low
      end = at + 3
      shown = isUnreserved(byte) ? String.fromCharCode(byte) : path.slice(at, end).toUpperCase()
    } else if (isUrlByte(code)) continue
    else shown = `%${code.toString(16).toUpperCase().padStart(2, '0')}`
    result += path.slice(copied, at) + shown
    copied = end
    // A decoded byte never begins another escape.
    at = end - 1
  }
  return copied === 0 ? path : result + path.slice(copied)
}

/** RFC 3986 2.3 */
function isUnreserved(code: number): boolean {
  return isAlphanumeric(code) || code === 0x2d || code === 0x2e || code === 0x5f || code === 0x7e
}

/** Unreserved or reserved (RFC 3986 2.2). */
export function isUrlByte(code: number): boolean {
  return urlBytes[code] === 1
}

const reserved = ":/?#[]@!$&'()*+,;="
const urlBytes = Uint8Array.from({ length: 256 }, (_, code) =>
  isUnreserved(code) || reserved.includes(String.fromCharCode(code)) ? 1 : 0,
)
