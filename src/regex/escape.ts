import { regexLimits } from '../kit/limits.ts'
import type { Assertion } from './ast.ts'
import {
  type ByteSet,
  digits,
  horizontalSpaces,
  lineFeed,
  spaces,
  verticalSpaces,
  wordBytes,
} from './byte-set.ts'
import type { Dialect } from './dialect.ts'
import type { PatternReader } from './pattern-reader.ts'

export type Escape =
  | { readonly kind: 'set'; readonly set: ByteSet }
  /** One byte, or the UTF-8 bytes of a character above 0xFF. */
  | { readonly kind: 'bytes'; readonly bytes: readonly number[] }
  | { readonly kind: 'assertion'; readonly what: Assertion }
  | { readonly kind: 'backreference'; readonly name: string }

const sets: Readonly<Record<string, ByteSet>> = {
  d: digits,
  D: digits.complement(),
  w: wordBytes,
  W: wordBytes.complement(),
  s: spaces,
  S: spaces.complement(),
  h: horizontalSpaces,
  H: horizontalSpaces.complement(),
  V: verticalSpaces.complement(),
  N: lineFeed.complement(),
}
const assertions: Readonly<Record<string, Assertion>> = {
  A: 'text-start',
  z: 'text-end',
  Z: 'text-end-or-last-line-feed',
  b: 'word-boundary',
  B: 'no-word-boundary',
  '<': 'word-start',
  '>': 'word-end',
}
const controls: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 }

/**
 * Reads what follows a backslash.
 * @param start offset of the backslash, for errors
 */
export function readEscape(reader: PatternReader, dialect: Dialect, start: number, inClass: boolean): Escape {
  const char = reader.next()
  if (char === '') throw reader.faultAt(start, 1, 'syntax', 'the pattern ends with a backslash')
  if (dialect.missingEscapes.includes(char)) {
    if (!dialect.lenient) throw unknown(reader, start)
    return literal(char)
  }
  if (char === 'v')
    return dialect.irregular ? { kind: 'set', set: verticalSpaces } : { kind: 'bytes', bytes: [11] }
  if (Object.hasOwn(sets, char)) return { kind: 'set', set: sets[char]! }
  if (inClass && char === 'b' && dialect.lenient) return { kind: 'bytes', bytes: [8] }
  if (!inClass && Object.hasOwn(assertions, char)) return { kind: 'assertion', what: assertions[char]! }
  if (Object.hasOwn(controls, char)) return { kind: 'bytes', bytes: [controls[char]!] }
  if (char === 'x') return hex(reader, dialect, start)
  if (char >= '0' && char <= '9') return number(reader, dialect, start, inClass, char)
  if (dialect.irregular && !inClass && (char === 'k' || char === 'g')) return namedReference(reader, start)
  if (char === 'c' && dialect.irregular)
    return { kind: 'bytes', bytes: [(reader.next().toUpperCase().charCodeAt(0) ^ 0x40) & 0xff] }
  if (/[A-Za-z]/.test(char)) {
    if (['p', 'P', 'X', 'K', 'G', 'R', 'C'].includes(char))
      throw reader.faultAt(start, 2, 'unsupported', `\\${char} is not supported`)
    if (!dialect.lenient) throw unknown(reader, start)
  }
  return literal(char)
}

function literal(char: string): Escape {
  return { kind: 'bytes', bytes: [char.charCodeAt(0)] }
}

function unknown(reader: PatternReader, start: number): Error {
  return reader.faultAt(start, 2, 'syntax', 'unrecognized escape sequence')
}

/** `\xHH` and `\x{…}`. */
function hex(reader: PatternReader, dialect: Dialect, start: number): Escape {
  const braced = /^\{([0-9A-Fa-f]{1,6})\}/.exec(reader.rest(8))
  if (braced !== null) {
    reader.skip(braced[0].length)
    const code = Number.parseInt(braced[1]!, 16)
    if (code <= 0xff) return { kind: 'bytes', bytes: [code] }
    if (code > 0x10ffff)
      throw reader.faultAt(start, reader.offset - start, 'syntax', 'a code point ends at 10FFFF')
    return { kind: 'bytes', bytes: [...new TextEncoder().encode(String.fromCodePoint(code))] }
  }
  const pair = (dialect.lenient ? /^[0-9A-Fa-f]{0,2}/ : /^[0-9A-Fa-f]{2}/).exec(reader.rest(2))
  if (pair === null) throw reader.faultAt(start, 2, 'syntax', '\\x needs two hex digits')
  reader.skip(pair[0].length)
  return { kind: 'bytes', bytes: [pair[0] === '' ? 0 : Number.parseInt(pair[0], 16)] }
}

/** Octal codes (`\0`, `\012`) and back-references (`\1`). */
function number(
  reader: PatternReader,
  dialect: Dialect,
  start: number,
  inClass: boolean,
  first: string,
): Escape {
  if (!dialect.irregular) throw reader.faultAt(start, 2, 'unsupported', 'back-references are not supported')
  const octal = /^[0-7]{1,3}/.exec(first + reader.rest(2))
  if (first === '0' || inClass || (octal?.[0].length === 3 && octal[0] < '400')) {
    const text = octal?.[0] ?? first
    reader.skip(text.length - 1)
    return { kind: 'bytes', bytes: [octal === null ? first.charCodeAt(0) : Number.parseInt(text, 8) & 0xff] }
  }
  const more = /^\d/.exec(reader.rest(1))?.[0] ?? ''
  reader.skip(more.length)
  if (Number(first + more) > regexLimits.groupsMax)
    throw reader.faultAt(start, reader.offset - start, 'syntax', 'reference to a group that does not exist')
  return { kind: 'backreference', name: first + more }
}

/** `\k<name>`, `\k{name}`, `\g{1}`, `\g1`. */
function namedReference(reader: PatternReader, start: number): Escape {
  const match = /^(?:\{(\w+)\}|<(\w+)>|'(\w+)'|(\d+))/.exec(reader.rest(36))
  if (match === null)
    throw reader.faultAt(start, 2, 'unsupported', 'only references to one group are supported here')
  reader.skip(match[0].length)
  return { kind: 'backreference', name: match.slice(1).find(part => part !== undefined)! }
}
