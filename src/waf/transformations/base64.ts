import { finish, scratchOf } from './scratch.ts'

/** Decodes up to the first byte outside the alphabet; padding is optional. */
export function base64Decode(value: string): string {
  const out = scratchOf(value.length)
  let length = 0
  let i = 0
  for (; i + 4 <= value.length; i += 4) {
    const bits =
      (sixBitsOf(value, i) << 18) |
      (sixBitsOf(value, i + 1) << 12) |
      (sixBitsOf(value, i + 2) << 6) |
      sixBitsOf(value, i + 3)
    if (bits < 0) break
    out[length++] = bits >> 16
    out[length++] = bits >> 8
    out[length++] = bits
  }
  let end = i
  while (end < value.length && sixBitsOf(value, end) >= 0) end++
  return finish(out, decode(value, i, end, out, length), value)
}

/** Whether `base64Decode` returns so many bytes. */
export function base64Reaches(value: string, length: number): boolean {
  const digits = Math.ceil((length * 4) / 3)
  if (value.length < digits) return false
  for (let i = 0; i < digits; i++) if (sixBitsOf(value, i) < 0) return false
  return true
}

/** Decodes leniently: bytes outside the alphabet are skipped. */
export function base64DecodeExt(value: string): string {
  const out = scratchOf(value.length)
  return finish(out, decode(value, 0, value.length, out, 0), value)
}

/** RFC 4648 section 4, padded. */
export function base64Encode(value: string): string {
  if (value === '') return value
  const out = scratchOf(Math.ceil(value.length / 3) * 4)
  let length = 0
  for (let i = 0; i < value.length; i += 3) {
    const left = value.length - i
    const bits =
      (value.charCodeAt(i) << 16) |
      (left > 1 ? value.charCodeAt(i + 1) << 8 : 0) |
      (left > 2 ? value.charCodeAt(i + 2) : 0)
    out[length++] = letters[bits >> 18]!
    out[length++] = letters[(bits >> 12) & 63]!
    out[length++] = left > 1 ? letters[(bits >> 6) & 63]! : 0x3d
    out[length++] = left > 2 ? letters[bits & 63]! : 0x3d
  }
  return finish(out, length, value)
}

/**
 * Writes the whole bytes of the alphabet's characters from `start` to `end` after `length` bytes; left-over bits are
 * dropped. Returns the new length.
 */
function decode(value: string, start: number, end: number, out: Uint8Array, length: number): number {
  let written = length
  let bits = 0
  let bitCount = 0
  for (let i = start; i < end; i++) {
    const six = sixBitsOf(value, i)
    if (six < 0) continue
    bits = ((bits << 6) | six) & 0xffff
    bitCount += 6
    if (bitCount < 8) continue
    bitCount -= 8
    out[written++] = bits >> bitCount
  }
  return written
}

function sixBitsOf(value: string, at: number): number {
  return values[value.charCodeAt(at)]!
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const letters = Uint8Array.from(alphabet, sign => sign.charCodeAt(0))
/** -1 outside the alphabet. */
const values = new Int8Array(256).fill(-1)
for (const [six, letter] of letters.entries()) values[letter] = six
