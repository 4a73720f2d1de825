import { finish, scratchWith } from './scratch.ts'
import { firstHighByte, readMultiByte } from './utf8.ts'

/** Each multi-byte UTF-8 character to `%uhhhh` (lower case, at least four digits); ASCII and invalid bytes stay. */
export function utf8toUnicode(value: string): string {
  const start = firstHighByte(value)
  if (start < 0) return value
  // Two bytes become six at most.
  const out = scratchWith(value, start, value.length * 3)
  let length = start
  let i = start
  while (i < value.length) {
    const read = readMultiByte(value, i)
    if (read < 0) {
      out[length++] = value.charCodeAt(i++)
      continue
    }
    const code = read >> 3
    out[length++] = 0x25
    out[length++] = 0x75
    for (let shift = code > 0xfffff ? 20 : code > 0xffff ? 16 : 12; shift >= 0; shift -= 4) {
      out[length++] = hexDigits.charCodeAt((code >> shift) & 0xf)
    }
    i += read & 7
  }
  return finish(out, length, value)
}

const hexDigits = '0123456789abcdef'
