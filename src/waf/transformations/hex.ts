import { hex2 } from './js-decode.ts'
import { finish, scratchOf, scratchWith } from './scratch.ts'

/** Two lower-case hex digits per byte. */
export function hexEncode(value: string): string {
  const out = scratchOf(value.length * 2)
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    out[2 * i] = digits[code >> 4]!
    out[2 * i + 1] = digits[code & 0xf]!
  }
  return finish(out, value.length * 2, value)
}

/**
 * Each pair of characters to a byte; a last single one is dropped. Other characters count as in ModSecurity 2: from `A`
 * on by letter, else by the distance from `0`.
 */
export function hexDecode(value: string): string {
  const length = value.length >> 1
  const out = scratchOf(length)
  for (let i = 0; i < length; i++) {
    out[i] = (digitOf(value.charCodeAt(2 * i)) << 4) + digitOf(value.charCodeAt(2 * i + 1))
  }
  return finish(out, length, value)
}

function digitOf(code: number): number {
  return code >= 0x41 ? (code & 0xdf) - 0x41 + 10 : code - 0x30
}

/** Whether `hexDecode` returns `length` bytes or more. */
export function hexDecodeReaches(value: string, length: number): boolean {
  return value.length >= 2 * length
}

/** Each SQL literal `0x4142…` to its bytes; a last single digit stays. */
export function sqlHexDecode(value: string): string {
  let i = value.indexOf('0')
  if (i < 0) return value
  const out = scratchWith(value, i)
  let length = i
  while (i < value.length) {
    const isPrefix = value.charCodeAt(i) === 0x30 && (value.charCodeAt(i + 1) | 0x20) === 0x78
    let byte = isPrefix ? hex2(value, i + 2) : -1
    if (byte < 0) {
      out[length++] = value.charCodeAt(i++)
      continue
    }
    for (i += 2; byte >= 0; byte = hex2(value, i)) {
      out[length++] = byte
      i += 2
    }
  }
  return finish(out, length, value)
}

const digits = Uint8Array.from('0123456789abcdef', digit => digit.charCodeAt(0))
