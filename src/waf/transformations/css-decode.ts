import { hexValue, isSpace } from '../../kit/ascii.ts'
import { finish, scratchWith } from './scratch.ts'

/**
 * CSS escapes. A backslash and one to six hex digits give one byte: the last two digits, with full-width forms as
 * ASCII. One white space after them is dropped. Backslash and newline are dropped. Before any other character, and at
 * the end, the backslash is dropped.
 */
export function cssDecode(value: string): string {
  const start = value.indexOf('\\')
  if (start < 0) return value
  const out = scratchWith(value, start)
  let length = start
  let i = start
  while (i < value.length) {
    const code = value.charCodeAt(i++)
    if (code !== 0x5c) {
      out[length++] = code
      continue
    }
    let digits = 0
    let escaped = 0
    while (digits < 6) {
      const digit = hexValue(value.charCodeAt(i + digits))
      if (digit < 0) break
      escaped = (escaped << 4) | digit
      digits++
    }
    if (digits > 0) {
      out[length++] = byteOfEscape(escaped)
      i += digits
      if (isSpace(value.charCodeAt(i))) i++
    } else if (value.charCodeAt(i) === 0x0a) i++
    else if (i < value.length) out[length++] = value.charCodeAt(i++)
  }
  return finish(out, length, value)
}

/** Full-width forms are recognized by a code of U+FF01–U+FF5E, with any number of leading zeros. */
function byteOfEscape(code: number): number {
  const low = code & 0xff
  return code > 0xff00 && code < 0xff5f ? low + 0x20 : low
}
