import { finish, scratchWith } from './scratch.ts'

/** Each C comment to one blank; an unclosed one swallows the rest and becomes a blank, too. */
export function replaceComments(value: string): string {
  let open = value.indexOf('/*')
  if (open < 0) return value
  const pieces: string[] = []
  let from = 0
  while (open >= 0) {
    pieces.push(value.slice(from, open))
    const close = value.indexOf('*/', open + 2)
    from = close < 0 ? value.length : close + 2
    open = value.indexOf('/*', from)
  }
  pieces.push(value.slice(from))
  return pieces.join(' ')
}

/** Drops the signs of comments, not the text between: slash-star pairs, `--`, `-->`, `<!--`, `#`. */
export function removeCommentsChar(value: string): string {
  const out = scratchWith(value, 0)
  let length = 0
  let i = 0
  while (i < value.length) {
    const sign = commentSign(value, i)
    if (sign === 0) out[length++] = value.charCodeAt(i++)
    else i += sign
  }
  return length === value.length ? value : finish(out, length, value)
}

/** Drops C and HTML comments with their text, and everything from `--` or `#` on. An unclosed comment becomes a blank. */
export function removeComments(value: string): string {
  const pieces: string[] = []
  let from = 0
  for (let i = 0; i < value.length; ) {
    const sign = commentSign(value, i)
    const opens = value.startsWith('/*', i) || value.startsWith('<!--', i)
    if (sign === 0 || (!opens && !isLineComment(value, i))) {
      i++
      continue
    }
    pieces.push(value.slice(from, i))
    if (!opens) return pieces.join('')
    const closing = value.charCodeAt(i) === 0x2f ? '*/' : '-->'
    const close = value.indexOf(closing, i + sign)
    if (close < 0) return `${pieces.join('')} `
    i = close + closing.length
    from = i
  }
  return from === 0 ? value : pieces.join('') + value.slice(from)
}

function isLineComment(value: string, at: number): boolean {
  return value.charCodeAt(at) === 0x23 || value.startsWith('--', at)
}

/** Length of the comment sign at `at`; 0 without one. */
function commentSign(value: string, at: number): number {
  switch (value.charCodeAt(at)) {
    case 0x23:
      return 1
    case 0x2f:
      return value.charCodeAt(at + 1) === 0x2a ? 2 : 0
    case 0x2a:
      return value.charCodeAt(at + 1) === 0x2f ? 2 : 0
    case 0x3c:
      return value.startsWith('!--', at + 1) ? 4 : 0
    case 0x2d:
      if (value.charCodeAt(at + 1) !== 0x2d) return 0
      return value.charCodeAt(at + 2) === 0x3e ? 3 : 2
    default:
      return 0
  }
}
