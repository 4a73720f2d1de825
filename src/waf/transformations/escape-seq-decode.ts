import { controlEscape, hex2, isOctal, octalDigits, octalValue } from './js-decode.ts'
import { finish, scratchWith } from './scratch.ts'

/**
 * C escapes: `\a \b \f \n \r \t \v \\ \? \' \"`, `\xHH`, up to three octal digits (value modulo 256). Before any other
 * character, also before an `x` without two hex digits, the backslash is dropped. A last lone backslash stays.
 */
export function escapeSeqDecode(value: string): string {
  const start = value.indexOf('\\')
  if (start < 0) return value
  const out = scratchWith(value, start)
  let length = start
  let i = start
  while (i < value.length) {
    const code = value.charCodeAt(i)
    if (code !== 0x5c || i + 1 === value.length) {
      out[length++] = code
      i++
      continue
    }
    const kind = value.charCodeAt(i + 1)
    const byte = (kind | 0x20) === 0x78 ? hex2(value, i + 2) : -1
    if (byte >= 0) {
      out[length++] = byte
      i += 4
    } else if (isOctal(kind)) {
      const digits = octalDigits(value, i + 1, 3)
      out[length++] = octalValue(value, i + 1, digits)
      i += 1 + digits
    } else {
      out[length++] = controlEscape(kind) ?? kind
      i += 2
    }
  }
  return finish(out, length, value)
}
