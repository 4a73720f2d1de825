import { hexValue } from '../../kit/ascii.ts'
import { hex2 } from './js-decode.ts'
import { finish, scratchOf, scratchWith } from './scratch.ts'

/** Two lower-case hex digits a byte. */
export function hexEncode(value: string): string {
  const out = scratchOf(value.length * 2)
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    out[2 * i] = digits[code >> 4]!
    out[2 * i + 1] = digits[code & 0xf]!
  }
  return finish(out, value.length * 2, value)
}

/** Pairs of hex digits to bytes, up to the first pair that is none. */
export function hexDecode(value: string): string {
  const out = scratchOf(value.length)
  let length = 0
  for (let byte = hex2(value, 0); byte >= 0; byte = hex2(value, 2 * length)) out[length++] = byte
  return finish(out, length, value)
}

/** Does `hexDecode` give `length` bytes or more? Looks at no more than that takes. */
export function hexDecodeReaches(value: string, length: number): boolean {
  if (value.length < 2 * length) return false
  for (let i = 0; i < 2 * length; i++) if (hexValue(value.charCodeAt(i)) < 0) return false
  return true
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
