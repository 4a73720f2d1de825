import { hexValue } from '../../kit/ascii.ts'
import { finish, scratchWith } from './scratch.ts'

/** `%HH` to its byte and `+` to a blank; an escape without two hex digits stays as it is. Also how arguments are decoded. */
export function urlDecode(value: string): string {
  const start = firstEscape(value)
  return start < 0 ? value : decodeFrom(value, start)
}

/** Where the first `%` or `+` is, -1 without one. */
export function firstEscape(value: string): number {
  const percent = value.indexOf('%')
  const plus = value.indexOf('+')
  if (percent < 0 || plus < 0) return Math.max(percent, plus)
  return Math.min(percent, plus)
}

function decodeFrom(value: string, start: number): string {
  const out = scratchWith(value, start)
  let length = start
  for (let i = start; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if (code === 0x2b) out[length++] = 0x20
    else if (code === 0x25) {
      const high = hexValue(value.charCodeAt(i + 1))
      const low = hexValue(value.charCodeAt(i + 2))
      if (high < 0 || low < 0) out[length++] = code
      else {
        out[length++] = (high << 4) | low
        i += 2
      }
    } else out[length++] = code
  }
  return finish(out, length, value)
}
