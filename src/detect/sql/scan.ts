import { hexValue, isAlphanumeric, isDigit } from '../../kit/ascii.ts'
import { DOT } from './codes.ts'

const digit = 1
const letter = 2
/** Classes of bytes in words. */
const classes = new Uint8Array(256)
for (let code = 0; code < 256; code++) {
  if (isDigit(code)) classes[code] = digit
  else if (isAlphanumeric(code) || code === 0x5f || code === 0x24 || code >= 0x80) classes[code] = letter
}
classes[0xa0] = 0

/** Letters, digits, `_`, `$` and the bytes above ASCII. */
export function isWordCode(code: number): boolean {
  return classes[code]! > 0
}

export function isLetterCode(code: number): boolean {
  return classes[code] === letter
}

/** Databases differ on blanks: all bytes up to 20, 7F and the no-break space are blanks for some. */
export function isBlank(code: number): boolean {
  return code <= 0x20 || code === 0x7f || code === 0xa0
}

export function wordEnd(value: string, from: number): number {
  const { length } = value
  let at = from
  for (; at < length; at++) {
    const code = value.charCodeAt(at)
    if (classes[code] === 0 && (code !== 0xa0 || at === from || value.charCodeAt(at - 1) < 0xc3)) break
  }
  return at
}

export function digitsEnd(value: string, from: number): number {
  let at = from
  while (isDigit(value.charCodeAt(at)) || (value.charCodeAt(at) === 0x5f && at > from)) at++
  return at
}

/** The position after an exponent at `at`; `at` itself without one. */
export function exponentEnd(value: string, at: number): number {
  if ((value.charCodeAt(at) | 0x20) !== 0x65) return at
  const sign = value.charCodeAt(at + 1)
  const digits = sign === 0x2b || sign === 0x2d ? at + 2 : at + 1
  const end = digitsEnd(value, digits)
  return end === digits ? at : end
}

/** Whether a dot at `at` continues a name: a word or another dot follows. */
export function isDotted(value: string, at: number): boolean {
  if (value.charCodeAt(at) !== DOT) return false
  const next = value.charCodeAt(at + 1)
  return isWordCode(next) || next === DOT
}

/** End of the longest numeric literal at `start`: `0x1f`, `0b01`, `1.5e3`. */
export function numberEnd(value: string, start: number): number {
  let at = start
  const mark = value.charCodeAt(at + 1) | 0x20
  if (value.charCodeAt(at) === 0x30 && mark === 0x78 && hexValue(value.charCodeAt(at + 2)) >= 0) {
    at += 2
    while (hexValue(value.charCodeAt(at)) >= 0) at++
  } else if (value.charCodeAt(at) === 0x30 && mark === 0x62 && (value.charCodeAt(at + 2) & 0xfe) === 0x30) {
    at += 2
    while ((value.charCodeAt(at) & 0xfe) === 0x30) at++
  } else {
    at = digitsEnd(value, at)
    if (value.charCodeAt(at) === DOT) at = digitsEnd(value, at + 1)
    at = exponentEnd(value, at)
  }
  return at
}

/** End of the digits, commas and dots from `from` on. */
export function amountEnd(value: string, from: number): number {
  let at = from
  while (isDigit(value.charCodeAt(at)) || ',.'.includes(value.charAt(at) || ' ')) at++
  return at
}

/** Start of the SQL in a comment that MySQL or MariaDB runs, `/*!50000` or `/*M!`; -1 for any other comment. */
export function runningBody(value: string, start: number): number {
  const mariadb = (value.charCodeAt(start + 2) | 0x20) === 0x6d && value.charCodeAt(start + 3) === 0x21
  if (!mariadb && value.charCodeAt(start + 2) !== 0x21) return -1
  const from = start + (mariadb ? 4 : 3)
  let at = from
  while (at < from + 6 && isDigit(value.charCodeAt(at))) at++
  // "/*!1,2" runs too; a version has five or six digits.
  return at - from >= 5 || isLetterCode(value.charCodeAt(at)) ? at : from
}

const bareSigns: readonly number[] = Array.from('-+*/', sign => sign.charCodeAt(0))

/** Whether only blanks, `-`, `+`, `*` and `/` follow, up to the line's end. */
export function isBare(value: string, from: number): boolean {
  for (let at = from; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code === 0x0a) return true
    if (!isBlank(code) && !bareSigns.includes(code)) return false
  }
  return true
}
