import { isDigit } from '../../kit/ascii.ts'
import { hex4 } from '../transformations/url-decode-uni.ts'
import { utf8Encode } from './utf8-encode.ts'

/** A string as far as it could be read. */
export interface JsonText {
  readonly text: string
  /** Where reading stopped: behind the closing quote, or at what is wrong. */
  readonly end: number
  readonly error?: string
}

/**
 * The string whose opening quote stands before `start` (RFC 8259 section 7). Escapes become UTF-8; half a surrogate pair
 * becomes `?`. Bytes from 0x80 on are taken as they are, control characters are refused.
 */
export function readJsonText(json: string, start: number): JsonText {
  let text = ''
  let from = start
  for (let i = start; ; ) {
    const code = json.charCodeAt(i)
    if (code === 0x22) return { text: text + json.slice(from, i), end: i + 1 }
    if (code === 0x5c) {
      text += json.slice(from, i)
      const escaped = readEscape(json, i + 1)
      if (escaped === undefined) return { text, end: i, error: 'a string holds a wrong escape' }
      text += escaped.text
      from = escaped.end
      i = from
    } else if (code >= 0x20) i++
    else {
      const error = i < json.length ? 'a string holds a control character' : 'a string is not closed'
      return { text: text + json.slice(from, i), end: i, error }
    }
  }
}

/** End of the number at `start`, -1 when there is none or it is malformed (RFC 8259 section 6). */
export function numberEnd(json: string, start: number): number {
  let i = start
  if (json.charCodeAt(i) === 0x2d) i++
  const whole = digitsEnd(json, i)
  if (whole === i || (json.charCodeAt(i) === 0x30 && whole > i + 1)) return -1
  i = whole
  if (json.charCodeAt(i) === 0x2e) {
    const fraction = digitsEnd(json, i + 1)
    if (fraction === i + 1) return -1
    i = fraction
  }
  if ((json.charCodeAt(i) | 0x20) !== 0x65) return i
  i++
  if (json.charCodeAt(i) === 0x2b || json.charCodeAt(i) === 0x2d) i++
  const exponent = digitsEnd(json, i)
  return exponent === i ? -1 : exponent
}

function digitsEnd(json: string, start: number): number {
  let i = start
  while (isDigit(json.charCodeAt(i))) i++
  return i
}

/** What stands behind a backslash at `at - 1`. */
function readEscape(json: string, at: number): { text: string; end: number } | undefined {
  const kind = json[at]
  if (kind !== 'u') {
    const text = kind === undefined ? undefined : plainEscapes.get(kind)
    return text === undefined ? undefined : { text, end: at + 1 }
  }
  const unit = hex4(json, at + 1)
  if (unit < 0) return undefined
  if (unit < 0xd800 || unit > 0xdfff) return { text: utf8Encode(unit), end: at + 5 }
  const next = unit < 0xdc00 && json.startsWith('\\u', at + 5) ? hex4(json, at + 7) : -1
  if (next < 0xdc00 || next > 0xdfff) return { text: '?', end: at + 5 }
  return { text: utf8Encode(0x10000 + ((unit - 0xd800) << 10) + next - 0xdc00), end: at + 11 }
}

const plainEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])
