import { finish, scratchOf } from './scratch.ts'

/** Decodes up to the first byte outside the alphabet; padding is not asked for. */
export function base64Decode(value: string): string {
  let end = 0
  while (end < value.length && sixBitsOf(value, end) >= 0) end++
  return decode(value, end)
}

/** Decodes forgivingly: bytes outside the alphabet are skipped. */
export function base64DecodeExt(value: string): string {
  return decode(value, value.length)
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
    out[length++] = alphabet.charCodeAt(bits >> 18)
    out[length++] = alphabet.charCodeAt((bits >> 12) & 63)
    out[length++] = left > 1 ? alphabet.charCodeAt((bits >> 6) & 63) : 0x3d
    out[length++] = left > 2 ? alphabet.charCodeAt(bits & 63) : 0x3d
  }
  return finish(out, length, value)
}

/** Whole bytes of the alphabet's characters before `end`; bits left over are dropped. */
function decode(value: string, end: number): string {
  const out = scratchOf(value.length)
  let length = 0
  let bits = 0
  let bitCount = 0
  for (let i = 0; i < end; i++) {
    const six = sixBitsOf(value, i)
    if (six < 0) continue
    bits = ((bits << 6) | six) & 0xffff
    bitCount += 6
    if (bitCount < 8) continue
    bitCount -= 8
    out[length++] = (bits >> bitCount) & 0xff
  }
  return finish(out, length, value)
}

function sixBitsOf(value: string, at: number): number {
  return values[value.charCodeAt(at)]!
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const values = new Int8Array(256).fill(-1)
for (let i = 0; i < 64; i++) values[alphabet.charCodeAt(i)] = i
