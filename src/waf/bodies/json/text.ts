import { isDigit } from '../../../kit/ascii.ts'
import { finish, scratchWith } from '../../transformations/scratch.ts'
import { hex4 } from '../../transformations/url-decode-uni.ts'
import { writeUtf8 } from '../utf8-write.ts'

export interface JsonText {
  readonly text: string
  /** Offset of the first wrong escape, -1 without one. The text ends before it. */
  readonly wrongAt: number
}

/**
 * The content of a string between its quotes (RFC 8259 section 7) with escapes resolved to UTF-8; half a surrogate pair
 * becomes `?`. One pass.
 */
export function unescapeJson(raw: string): JsonText {
  let at = raw.indexOf('\\')
  if (at < 0) return { text: raw, wrongAt: -1 }
  // No escape is shorter than its bytes.
  const out = scratchWith(raw, at)
  let length = at
  while (at < raw.length) {
    const code = raw.charCodeAt(at)
    if (code !== BACKSLASH) {
      out[length++] = code
      at++
      continue
    }
    const kind = raw.charCodeAt(at + 1)
    const plain = kind < plainEscapes.length ? plainEscapes[kind]! : 0
    if (plain > 0) {
      out[length++] = plain
      at += 2
      continue
    }
    const unit = kind === LETTER_U ? hex4(raw, at + 2) : -1
    if (unit < 0) return { text: finish(out, length, raw), wrongAt: at }
    const low = isHighSurrogate(unit) ? lowSurrogateAt(raw, at + 6) : -1
    length = writeUtf8(
      out,
      length,
      low < 0 ? scalarOf(unit) : 0x10000 + ((unit - 0xd800) << 10) + low - 0xdc00,
    )
    at += low < 0 ? 6 : 12
  }
  return { text: finish(out, length, raw), wrongAt: -1 }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

/** The second half of a pair escaped at `at`, -1 if there is none. */
function lowSurrogateAt(raw: string, at: number): number {
  if (raw.charCodeAt(at) !== BACKSLASH || raw.charCodeAt(at + 1) !== LETTER_U) return -1
  const unit = hex4(raw, at + 2)
  return unit >= 0xdc00 && unit <= 0xdfff ? unit : -1
}

/** `?` for half a pair. */
function scalarOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? 0x3f : unit
}

const BACKSLASH = 0x5c
const LETTER_U = 0x75
/** The byte of a letter after a backslash, by the letter's code; 0 for none. */
const plainEscapes = new Uint8Array(0x80)
for (const pair of ['""', '\\\\', '//', 'b\b', 'f\f', 'n\n', 'r\r', 't\t'])
  plainEscapes[pair.charCodeAt(0)] = pair.charCodeAt(1)

/** Whether a number may contain the byte. */
export function isNumberByte(code: number): boolean {
  return isDigit(code) || code === 0x2b || code === 0x2d || code === 0x2e || (code | 0x20) === 0x65
}

/** End of the number at the beginning, -1 if there is none or it is malformed (RFC 8259 section 6). */
export function numberEnd(text: string): number {
  let i = text.charCodeAt(0) === 0x2d ? 1 : 0
  const whole = digitsEnd(text, i)
  if (whole === i || (text.charCodeAt(i) === 0x30 && whole > i + 1)) return -1
  i = whole
  if (text.charCodeAt(i) === 0x2e) {
    const fraction = digitsEnd(text, i + 1)
    if (fraction === i + 1) return -1
    i = fraction
  }
  if ((text.charCodeAt(i) | 0x20) !== 0x65) return i
  i++
  if (text.charCodeAt(i) === 0x2b || text.charCodeAt(i) === 0x2d) i++
  const exponent = digitsEnd(text, i)
  return exponent === i ? -1 : exponent
}

function digitsEnd(text: string, start: number): number {
  let i = start
  while (isDigit(text.charCodeAt(i))) i++
  return i
}
