import { isSpace } from '../../kit/ascii.ts'
import { finish, scratchWith } from './scratch.ts'

/** Drops ASCII white space and 0xA0. */
export function removeWhitespace(value: string): string {
  const start = firstBlank(value)
  if (start < 0) return value
  const out = scratchWith(value, start)
  let length = start
  for (let i = start; i < value.length; i++) {
    const code = value.charCodeAt(i)
    // Overwritten by the next byte after a blank.
    out[length] = code
    length += 1 - blanks[code]!
  }
  return finish(out, length, value)
}

/** Each run of ASCII white space and 0xA0 to one blank. */
export function compressWhitespace(value: string): string {
  const start = firstOddBlank(value)
  if (start < 0) return value
  const out = scratchWith(value, start)
  let length = start
  let inRun = start > 0 ? blanks[value.charCodeAt(start - 1)]! : 0
  for (let i = start; i < value.length; i++) {
    const code = value.charCodeAt(i)
    const blank = blanks[code]!
    out[length] = blank === 1 ? 0x20 : code
    length += 1 - (inRun & blank)
    inRun = blank
  }
  return finish(out, length, value)
}

/** Drops ASCII white space at both ends. */
export function trim(value: string): string {
  return trimLeft(trimRight(value))
}

export function trimLeft(value: string): string {
  let start = 0
  while (isSpace(value.charCodeAt(start))) start++
  return start === 0 ? value : value.slice(start)
}

export function trimRight(value: string): string {
  let end = value.length
  while (end > 0 && isSpace(value.charCodeAt(end - 1))) end--
  return end === value.length ? value : value.slice(0, end)
}

const blanks = Uint8Array.from({ length: 256 }, (_, code) => (isSpace(code) || code === 0xa0 ? 1 : 0))

function firstBlank(value: string): number {
  for (let i = 0; i < value.length; i++) if (blanks[value.charCodeAt(i)] === 1) return i
  return -1
}

/** The first blank that is no single space; -1 for none, as in most texts. */
function firstOddBlank(value: string): number {
  let before = 0
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if (blanks[code] === 1 && (code !== 0x20 || before === 0x20)) return i
    before = code
  }
  return -1
}
