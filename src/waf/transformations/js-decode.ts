import { hexValue } from '../../kit/ascii.ts'
import { finish, scratchWith } from './scratch.ts'
import { hex4, lowByte } from './url-decode-uni.ts'

/**
 * JavaScript escapes: `\uHHHH` (low byte; full-width forms into ASCII), `\xHH`, octal up to `\377`, `\a \b \f \n \r \t
 * \v`. Before any other character the backslash is dropped. A last lone backslash stays.
 */
export function jsDecode(value: string): string {
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
    const unicode = kind === 0x75 ? hex4(value, i + 2) : -1
    const byte = kind === 0x78 ? hex2(value, i + 2) : -1
    if (unicode >= 0) {
      out[length++] = lowByte(unicode)
      i += 6
    } else if (byte >= 0) {
      out[length++] = byte
      i += 4
    } else if (isOctal(kind)) {
      const digits = octalDigits(value, i + 1, kind > 0x33 ? 2 : 3)
      out[length++] = octalValue(value, i + 1, digits)
      i += 1 + digits
    } else {
      out[length++] = controlEscape(kind) ?? kind
      i += 2
    }
  }
  return finish(out, length, value)
}

/** Byte of the two hex digits at `at`, -1 if they are missing. */
export function hex2(value: string, at: number): number {
  const high = hexValue(value.charCodeAt(at))
  const low = hexValue(value.charCodeAt(at + 1))
  return high < 0 || low < 0 ? -1 : (high << 4) | low
}

export function isOctal(code: number): boolean {
  return code >= 0x30 && code <= 0x37
}

/** Number of octal digits at `at`, at most `max`. */
export function octalDigits(value: string, at: number, max: number): number {
  let digits = 0
  while (digits < max && isOctal(value.charCodeAt(at + digits))) digits++
  return digits
}

export function octalValue(value: string, at: number, digits: number): number {
  let byte = 0
  for (let i = at; i < at + digits; i++) byte = (byte << 3) | (value.charCodeAt(i) - 0x30)
  return byte & 0xff
}

/** The control character of `\a \b \f \n \r \t \v`, by the letter. */
export function controlEscape(letter: number): number | undefined {
  return controls.get(letter)
}

const controls: ReadonlyMap<number, number> = new Map([
  [0x61, 0x07],
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x76, 0x0b],
])
