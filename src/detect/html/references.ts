import { hexValue, isAlphanumeric, isDigit } from '../../kit/ascii.ts'

const named: ReadonlyMap<string, string> = new Map([
  ['tab', '\t'],
  ['newline', '\n'],
  ['colon', ':'],
  ['lpar', '('],
  ['rpar', ')'],
  ['sol', '/'],
  ['period', '.'],
  ['comma', ','],
  ['semi', ';'],
  ['quot', '"'],
  ['apos', "'"],
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['nbsp', ' '],
  ['num', '#'],
  ['grave', '`'],
])
const longestNameBytes = 10

/** A decoded character, and the position after its reference. */
export interface Reference {
  readonly code: number
  readonly end: number
}

/** The character reference after the `&` at `at`; null if there is none. Numbers need no `;`, names do. */
export function referenceAt(text: string, at: number): Reference | null {
  return text.charCodeAt(at + 1) === 0x23 ? numeric(text, at + 2) : byName(text, at + 1)
}

function numeric(text: string, from: number): Reference | null {
  const hex = (text.charCodeAt(from) | 0x20) === 0x78
  const base = hex ? 16 : 10
  const start = hex ? from + 1 : from
  let at = start
  let code = 0
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (!hex && !isDigit(unit)) break
    const digit = hexValue(unit)
    if (digit < 0) break
    code = Math.min(code * base + digit, 0x110000)
  }
  if (at === start) return null
  return {
    code: code > 0xffff ? 0x3f : code,
    end: text.charCodeAt(at) === 0x3b ? at + 1 : at,
  }
}

function byName(text: string, from: number): Reference | null {
  let at = from
  while (at < from + longestNameBytes && isAlphanumeric(text.charCodeAt(at))) at++
  if (text.charCodeAt(at) !== 0x3b) return null
  const decoded = named.get(text.slice(from, at).toLowerCase())
  return decoded === undefined ? null : { code: decoded.charCodeAt(0), end: at + 1 }
}
