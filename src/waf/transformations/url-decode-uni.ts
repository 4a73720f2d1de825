import { hexValue } from '../../kit/ascii.ts'
import { asciiOf } from './code-page-20127.ts'
import { finish, scratchWith } from './scratch.ts'
import { firstEscape } from './url-decode.ts'

/**
 * `%HH`, `+` to a blank, and `%uHHHH` through code page 20127 (US-ASCII, best fit). A code outside the page gives its
 * low byte, plus 0x20 for full-width forms (U+FF01–U+FF5E). Invalid escapes stay.
 */
export function urlDecodeUni(value: string): string {
  const start = firstEscape(value)
  if (start < 0) return value
  const out = scratchWith(value, start)
  let length = start
  let i = start
  while (i < value.length) {
    const code = value.charCodeAt(i)
    if (code === 0x2b) {
      out[length++] = 0x20
      i++
    } else if (code !== 0x25) {
      out[length++] = code
      i++
    } else if ((value.charCodeAt(i + 1) | 0x20) === 0x75) {
      const unicode = hex4(value, i + 2)
      if (unicode < 0) {
        out[length++] = code
        i++
      } else {
        out[length++] = asciiOf(unicode) ?? lowByte(unicode)
        i += 6
      }
    } else {
      const high = hexValue(value.charCodeAt(i + 1))
      const low = hexValue(value.charCodeAt(i + 2))
      const valid = high >= 0 && low >= 0
      out[length++] = valid ? (high << 4) | low : code
      i += valid ? 3 : 1
    }
  }
  return finish(out, length, value)
}

/** Value of the four hex digits at `at`, -1 if they are missing. */
export function hex4(value: string, at: number): number {
  let code = 0
  for (let i = at; i < at + 4; i++) {
    const digit = hexValue(value.charCodeAt(i))
    if (digit < 0) return -1
    code = (code << 4) | digit
  }
  return code
}

/** The low byte, moved into ASCII for a full-width form. */
export function lowByte(code: number): number {
  const low = code & 0xff
  return code >> 8 === 0xff && low > 0x00 && low < 0x5f ? low + 0x20 : low
}
