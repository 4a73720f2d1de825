import { isAlphanumeric, isDigit, isSpace } from '../../../kit/ascii.ts'

const DOT = 0x2e
const SLASH = 0x2f
const STAR = 0x2a
/** Bytes of a comment between a name and its parenthesis. */
const commentBytesMax = 64
/** Blanks between a name and its parenthesis. */
const blanksMax = 16

/** Letters, digits, `_`, `$`, `\` (Windows paths) and every byte above ASCII but the no-break space. */
export function isWordCode(code: number): boolean {
  return wordCodes[code] === 1
}

const wordCodes = new Uint8Array(256)
for (let code = 0; code < 256; code++) {
  if (isAlphanumeric(code) || '_$\\'.includes(String.fromCharCode(code)) || code >= 0x80) wordCodes[code] = 1
}
wordCodes[0xa0] = 0

export function isLetter(code: number): boolean {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

/** Behind the white space, of which SQL has more kinds than others, at `from`. */
export function spaceEnd(value: string, from: number): number {
  const { length } = value
  let at = from
  for (; at < length; at++) {
    const code = value.charCodeAt(at)
    if (code > 0x20 && code !== 0xa0) break
    if (isSpace(code) || code === 0) continue
    // No-break space of Latin-1, which MySQL skips; after a high byte it is the tail of a UTF-8 letter.
    if (code !== 0xa0 || (at > 0 && value.charCodeAt(at - 1) >= 0x80)) break
  }
  return at
}

/** Words go on over a dot with a word behind it (`schema.table`), and over the tail bytes of UTF-8 letters. */
export function wordEnd(value: string, from: number): number {
  const { length } = value
  let at = from
  for (; at < length; at++) {
    const code = value.charCodeAt(at)
    if (wordCodes[code] === 1) continue
    if (code === 0xa0 && at > from && value.charCodeAt(at - 1) >= 0x80) continue
    if (code !== DOT || at === from || at + 1 >= length) break
    const next = value.charCodeAt(at + 1)
    if (wordCodes[next] === 0 && next !== DOT) break
  }
  return at
}

export function digitsEnd(value: string, from: number): number {
  let at = from
  while (at < value.length && isDigit(value.charCodeAt(at))) at++
  return at
}

/** Behind an exponent that stands at `at`; `at` itself without one. */
export function exponentEnd(value: string, at: number): number {
  if ((value.charCodeAt(at) | 0x20) !== 0x65) return at
  const sign = value.charCodeAt(at + 1)
  const digits = sign === 0x2b || sign === 0x2d ? at + 2 : at + 1
  const end = digitsEnd(value, digits)
  return end === digits ? at : end
}

/** Where the "(" of a call stands behind a name: at once, after a few blanks or one short comment; -1: no call. */
export function callStart(value: string, from: number): number {
  if (from >= value.length) return -1
  // What stands behind most words of prose tells at once.
  const next = value.charCodeAt(from)
  if (next > 0x2f) return -1
  let at = blanksEnd(value, from)
  if (value.charCodeAt(at) === SLASH && value.charCodeAt(at + 1) === STAR) at = afterComment(value, at)
  return value.charCodeAt(at) === 0x28 ? at : -1
}

function afterComment(value: string, start: number): number {
  const last = Math.min(start + 2 + commentBytesMax, value.length) - 2
  for (let at = start + 2; at <= last; at++) {
    if (value.charCodeAt(at) === STAR && value.charCodeAt(at + 1) === SLASH) return blanksEnd(value, at + 2)
  }
  return start
}

/** Behind the blanks at `from`, of which a bounded number is looked at. */
export function blanksEnd(value: string, from: number): number {
  const last = Math.min(from + blanksMax, value.length)
  let at = from
  while (at < last && isSpace(value.charCodeAt(at))) at++
  return at
}
