import { isSpace } from '../../kit/ascii.ts'
import { copyTo, finish, scratchOf } from './scratch.ts'

const UNDERSCORE = 0x5f
const OPEN = 0x5b
const CLOSE = 0x5d

/**
 * The name under which PHP stores an argument. Leading blanks are dropped; blanks and dots before the first `[` become
 * `_`. After it, indices `[…]` stay unchanged, and the text after the last one is dropped. An unclosed `[` becomes `_`.
 * A name that begins with `[` is invalid: ''.
 */
export function phpArgsNames(value: string): string {
  let at = 0
  while (value.charCodeAt(at) === 0x20) at++
  if (value.charCodeAt(at) === OPEN) return ''
  const out = scratchOf(value.length)
  let length = 0
  for (; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code === OPEN) return finish(out, addIndices(out, length, value, at), value)
    out[length++] = code === 0x20 || code === 0x2e ? UNDERSCORE : code
  }
  return finish(out, length, value)
}

/** Writes the indices that begin at `bracket` after `length` bytes; returns the new length. */
function addIndices(out: Uint8Array, length: number, value: string, bracket: number): number {
  let written = length
  for (let open = bracket; value.charCodeAt(open) === OPEN; ) {
    const close = value.indexOf(']', open)
    if (close < 0) {
      if (open > bracket) return written
      out[written++] = UNDERSCORE
      return copyTo(out, written, value, open + 1, value.length)
    }
    const isBlank = close === open + 2 && isSpace(value.charCodeAt(open + 1))
    if (isBlank) {
      out[written++] = OPEN
      out[written++] = CLOSE
    } else written = copyTo(out, written, value, open, close + 1)
    open = close + 1
  }
  return written
}
