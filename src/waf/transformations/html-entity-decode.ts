import { hexValue, isAlphanumeric, isDigit } from '../../kit/ascii.ts'
import { finish, scratchWith } from './scratch.ts'

/**
 * `&#xHH;`, `&#DD;` (one byte: the value modulo 256) and `&quot; &amp; &lt; &gt; &nbsp;` (0xA0), names in any case.
 * The `;` is optional; anything else stays.
 */
export function htmlEntityDecode(value: string): string {
  const start = value.indexOf('&')
  if (start < 0) return value
  const out = scratchWith(value, start)
  let length = start
  let i = start
  while (i < value.length) {
    const code = value.charCodeAt(i)
    const end = code === 0x26 ? entityEnd(value, i + 1) : 0
    const byte = end > 0 ? entityByte(value, i + 1, end) : -1
    if (byte >= 0) {
      out[length++] = byte
      i = value.charCodeAt(end) === 0x3b ? end + 1 : end
    } else if (end > 0) {
      // No entity: the text stays as a whole, which keeps the pass linear.
      while (i < end) out[length++] = value.charCodeAt(i++)
    } else {
      out[length++] = code
      i++
    }
  }
  return finish(out, length, value)
}

/** End of the digits or the name that begin at `at` (after the `&`); 0 if there are none. */
function entityEnd(value: string, at: number): number {
  let i = at
  if (value.charCodeAt(i) !== 0x23) {
    while (isAlphanumeric(value.charCodeAt(i))) i++
    return i > at ? i : 0
  }
  i++
  const hexadecimal = (value.charCodeAt(i) | 0x20) === 0x78
  if (hexadecimal) i++
  const digits = i
  while (hexadecimal ? hexValue(value.charCodeAt(i)) >= 0 : isDigit(value.charCodeAt(i))) i++
  return i > digits ? i : 0
}

function entityByte(value: string, at: number, end: number): number {
  if (value.charCodeAt(at) !== 0x23) return namedByte(value, at, end)
  const hexadecimal = (value.charCodeAt(at + 1) | 0x20) === 0x78
  return hexadecimal ? lastByte(value, at + 2, end, 16) : lastByte(value, at + 1, end, 10)
}

/** -1 for an unknown name. */
function namedByte(value: string, at: number, end: number): number {
  switch (value.charCodeAt(at) | 0x20) {
    case 0x61:
      return says(value, at, end, 'amp') ? 0x26 : -1
    case 0x67:
      return says(value, at, end, 'gt') ? 0x3e : -1
    case 0x6c:
      return says(value, at, end, 'lt') ? 0x3c : -1
    case 0x6e:
      return says(value, at, end, 'nbsp') ? 0xa0 : -1
    case 0x71:
      return says(value, at, end, 'quot') ? 0x22 : -1
    default:
      return -1
  }
}

/** The text consists of letters and digits. */
function says(value: string, at: number, end: number, name: string): boolean {
  if (end - at !== name.length) return false
  for (let i = 0; i < name.length; i++) {
    if ((value.charCodeAt(at + i) | 0x20) !== name.charCodeAt(i)) return false
  }
  return true
}

/** The number modulo 256; beyond 63 bits C clamps it to the largest, whose last byte is 0xff. */
function lastByte(value: string, at: number, end: number, base: 10 | 16): number {
  let low = 0
  let magnitude = 0
  for (let i = at; i < end; i++) {
    const digit = hexValue(value.charCodeAt(i))
    low = (low * base + digit) & 0xff
    magnitude = magnitude * base + digit
  }
  return magnitude < 2 ** 63 ? low : 0xff
}
