import { hexValue, isAlphanumeric } from '../../kit/ascii.ts'
import type { Seam } from './pieces.ts'

/** At each byte. */
export const anywhere: Seam = (_value, _from, _searched, at) => at

/** Between groups of so many bytes. */
export function everyBytes(count: number): Seam {
  return (_value, from, _searched, at) => at - ((at - from) % count)
}

/** Outside constructs of at most six bytes that begin with `%`. */
export const outsidePercentEscape: Seam = (value, from, _searched, at) => {
  for (let i = at - 1; i >= from && i > at - 6; i--) if (value.charCodeAt(i) === 0x25) return i
  return at
}

/**
 * Outside constructs of at most eight bytes that begin with a backslash. In a run of backslashes, each second one is
 * escaped by the one before it.
 */
export const outsideBackslashEscape: Seam = (value, from, _searched, at) => {
  for (let i = at - 1; i >= from && i > at - 8; i--) {
    if (value.charCodeAt(i) !== 0x5c) continue
    let first = i
    while (first > from && value.charCodeAt(first - 1) === 0x5c) first--
    return i - ((i - first) & 1)
  }
  return at
}

/** Outside names and numbers that begin with `&`. */
export const outsideEntity: Seam = (value, from, searched, at) => {
  for (let i = at - 1; i >= searched; i--) {
    const code = value.charCodeAt(i)
    if (code === 0x26) return i
    if (code !== 0x23 && !isAlphanumeric(code)) return at
  }
  // The construct that began at `from` continues.
  return searched > from ? from : at
}

/** Outside `0x…`. */
export const outsideHexLiteral: Seam = (value, from, searched, at) => {
  let i = at
  while (i > searched && isHexLiteralCode(value.charCodeAt(i - 1))) i--
  return i > searched ? i : from
}

function isHexLiteralCode(code: number): boolean {
  return hexValue(code) >= 0 || (code | 0x20) === 0x78
}

/** Outside characters of UTF-8: they have four bytes at most. */
export const betweenCharacters: Seam = (value, from, _searched, at) => {
  for (let i = at; i >= from && i > at - 4; i--) if ((value.charCodeAt(i) & 0xc0) !== 0x80) return i
  return at
}

/** After a byte outside this set. */
export function behindOther(bytes: string): Seam {
  const codes = new Uint8Array(256)
  for (let i = 0; i < bytes.length; i++) codes[bytes.charCodeAt(i)] = 1
  return (value, from, searched, at) => {
    let i = at
    while (i > searched && codes[value.charCodeAt(i - 1)] === 1) i--
    return i > searched ? i : from
  }
}

/** Outside comments of C. */
export const outsideComment: Seam = (value, from, searched, at) => {
  // A comment that began at `from` was not closed in the searched part.
  const goesOn = searched > from && value.startsWith('/*', from)
  const start = goesOn ? Math.max(from + 2, searched - 1) : from
  const part = value.slice(start, at)
  let end = 0
  if (goesOn) {
    end = part.indexOf('*/') + 2
    if (end < 2) return from
  }
  for (;;) {
    const open = part.indexOf('/*', end)
    if (open < 0) return part.endsWith('/') && end < part.length ? at - 1 : at
    const close = part.indexOf('*/', open + 2)
    if (close < 0) return start + open
    end = close + 2
  }
}
