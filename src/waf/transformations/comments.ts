import { copyTo, finish, scratchOf } from './scratch.ts'

const HASH = 0x23
const STAR = 0x2a
const DASH = 0x2d
const SLASH = 0x2f
const LESS = 0x3c

/** Each C comment to one blank; an unclosed one extends to the end and becomes a blank, too. */
export function replaceComments(value: string): string {
  let open = value.indexOf('/*')
  if (open < 0) return value
  const out = scratchOf(value.length)
  let length = 0
  let from = 0
  while (open >= 0) {
    length = copyTo(out, length, value, from, open)
    out[length++] = 0x20
    const close = value.indexOf('*/', open + 2)
    from = close < 0 ? value.length : close + 2
    open = value.indexOf('/*', from)
  }
  return finish(out, copyTo(out, length, value, from, value.length), value)
}

/** Drops the signs of comments, not the text between: slash-star pairs, `--`, `-->`, `<!--`, `#`. */
export function removeCommentsChar(value: string): string {
  const out = scratchOf(value.length)
  let length = 0
  let i = 0
  while (i < value.length) {
    const code = value.charCodeAt(i)
    const sign = commentSign(value, i, code)
    if (sign === 0) {
      out[length++] = code
      i++
    } else i += sign
  }
  return length === value.length ? value : finish(out, length, value)
}

/**
 * Drops C and HTML comments with their text, and everything from `--` or `#` on. An unclosed comment becomes a blank.
 */
export function removeComments(value: string): string {
  const out = scratchOf(value.length)
  let length = 0
  let i = 0
  while (i < value.length) {
    const code = value.charCodeAt(i)
    const sign = commentSign(value, i, code)
    if (sign === 0 || code === STAR) {
      out[length++] = code
      i++
      continue
    }
    if (code === HASH || code === DASH) break
    const closing = code === SLASH ? '*/' : '-->'
    const close = value.indexOf(closing, i + sign)
    if (close < 0) {
      out[length++] = 0x20
      break
    }
    i = close + closing.length
  }
  return length === value.length ? value : finish(out, length, value)
}

/** Length of the comment sign at `at`, which has `code`; 0 without one. */
function commentSign(value: string, at: number, code: number): number {
  switch (code) {
    case HASH:
      return 1
    case SLASH:
      return value.charCodeAt(at + 1) === STAR ? 2 : 0
    case STAR:
      return value.charCodeAt(at + 1) === SLASH ? 2 : 0
    case LESS:
      return value.startsWith('!--', at + 1) ? 4 : 0
    case DASH:
      if (value.charCodeAt(at + 1) !== DASH) return 0
      return value.charCodeAt(at + 2) === 0x3e ? 3 : 2
    default:
      return 0
  }
}
