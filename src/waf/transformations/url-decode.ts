import { hexValue } from '../../kit/ascii.ts'
import { finish, scratchWith } from './scratch.ts'

/**
 * `%HH` to its byte and `+` to a blank; an escape without two hex digits stays unchanged. Arguments are decoded in the
 * same way.
 */
export function urlDecode(value: string): string {
  const start = firstEscape(value)
  return start < 0 ? value : decodeFrom(value, start)
}

/** Offset of the first `%` or `+`, -1 without one. */
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

/** `%HH` only: in a path or a file name `+` is a plus. */
export function percentDecode(text: string): string {
  let percent = text.indexOf('%')
  if (percent < 0) return text
  let decoded = ''
  let copied = 0
  while (percent >= 0) {
    const high = hexValue(text.charCodeAt(percent + 1))
    const low = hexValue(text.charCodeAt(percent + 2))
    if (high >= 0 && low >= 0) {
      decoded += text.slice(copied, percent) + String.fromCharCode((high << 4) | low)
      copied = percent + 3
      percent = text.indexOf('%', copied)
    } else percent = text.indexOf('%', percent + 1)
  }
  return decoded + text.slice(copied)
}
