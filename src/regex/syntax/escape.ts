import {
  type ByteSet,
  digits,
  horizontalSpaces,
  lineFeed,
  spaces,
  verticalSpaces,
  wordBytes,
} from '../byte-set.ts'
import type { Assertion } from './ast.ts'
import type { Dialect } from './dialect.ts'
import type { PatternReader } from './pattern-reader.ts'

export type Escape =
  | { readonly kind: 'set'; readonly set: ByteSet }
  /** One byte, or the UTF-8 bytes of a character. */
  | { readonly kind: 'bytes'; readonly bytes: readonly number[] }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'backreference'; readonly name: string }

/** The context of an escape, as far as its meaning depends on it. */
export interface EscapeContext {
  /** Offset of the backslash. */
  readonly start: number
  readonly inClass: boolean
  /** Groups opened so far: `\12` is a back-reference if there are as many, else an octal code. */
  readonly groups: number
}

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
/** Escapes of Perl that this engine lacks; PCRE refuses `\L \l \U \u` as well. */
const unsupported = 'pPXKGRCoLlUu'
/** Hex digits after the letter if there are no braces. */
const codeDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

/** Reads the rest of an escape after its backslash. */
export function readEscape(reader: PatternReader, dialect: Dialect, context: EscapeContext): Escape {
  const { start, inClass } = context
  const char = reader.next()
  if (char === '') throw reader.faultAt(start, 1, 'syntax', 'the pattern ends with a backslash')
  if (char >= '0' && char <= '9') return number(reader, dialect, context, char)
  if (dialect.missingEscapes.includes(char)) {
    if (!dialect.lenient) throw unknown(reader, start)
    return literal(char)
  }
  if (char === 'x' || (dialect.utf8 && Object.hasOwn(codeDigits, char)))
    return code(reader, dialect, start, char)
  if (char === 'v')
    return dialect.perl ? { kind: 'set', set: verticalSpaces } : { kind: 'bytes', bytes: [0x0b] }
  if (Object.hasOwn(sets, char)) return { kind: 'set', set: sets[char]! }
  if (Object.hasOwn(controls, char)) return { kind: 'bytes', bytes: [controls[char]!] }
  if (inClass) {
    if (char === 'b' && dialect.lenient) return { kind: 'bytes', bytes: [8] }
    if (dialect.perl && 'QE'.includes(char))
      throw reader.faultAt(start, 2, 'unsupported', 'quoting within a class is not supported')
    if (Object.hasOwn(assertions, char) && !dialect.lenient) throw unknown(reader, start)
  } else {
    if (Object.hasOwn(assertions, char)) return { kind: 'assertion', assertion: assertions[char]! }
    if (char === 'k' || char === 'g') return namedReference(reader, start, char)
  }
  if (char === 'c') return control(reader, start)
  if (unsupported.includes(char)) throw reader.faultAt(start, 2, 'unsupported', `\\${char} is not supported`)
  if (!dialect.lenient && (/[A-Za-z]/.test(char) || char > '\x7f')) throw unknown(reader, start)
  return literal(char)
}

function literal(char: string): Escape {
  return { kind: 'bytes', bytes: [char.charCodeAt(0)] }
}

function unknown(reader: PatternReader, start: number): Error {
  return reader.faultAt(start, 2, 'syntax', 'unrecognized escape sequence')
}

/** `\xHH` and `\x{…}`; in Rust's dialect also `\uHHHH`, `\UHHHHHHHH`, `\u{…}` and `\U{…}`, which name characters. */
function code(reader: PatternReader, dialect: Dialect, start: number, letter: string): Escape {
  const braced = /^\{([0-9A-Fa-f]{1,8})\}/.exec(reader.rest(10))
  if (braced !== null) {
    reader.skip(braced[0].length)
    const value = Number.parseInt(braced[1]!, 16)
    if (dialect.utf8) return character(reader, start, value)
    if (value > 0xff)
      throw reader.faultAt(start, reader.offset - start, 'syntax', 'a byte has a code up to FF')
    return { kind: 'bytes', bytes: [value] }
  }
  const count = codeDigits[letter]!
  const hex = /^[0-9A-Fa-f]*/.exec(reader.rest(count))![0]
  if (hex.length < count && !dialect.lenient)
    throw reader.faultAt(start, 2, 'syntax', `\\${letter} needs ${count} hex digits`)
  reader.skip(hex.length)
  const value = hex === '' ? 0 : Number.parseInt(hex, 16)
  return letter === 'x' ? { kind: 'bytes', bytes: [value] } : character(reader, start, value)
}

function character(reader: PatternReader, start: number, value: number): Escape {
  if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
    throw reader.faultAt(start, reader.offset - start, 'syntax', 'no character has this code')
  return { kind: 'bytes', bytes: [...new TextEncoder().encode(String.fromCodePoint(value))] }
}

/** Octal codes (`\0`, `\012`) and back-references (`\1`). */
function number(reader: PatternReader, dialect: Dialect, context: EscapeContext, first: string): Escape {
  const { start, inClass, groups } = context
  if (!dialect.perl) throw reader.faultAt(start, 2, 'unsupported', 'back-references are not supported')
  const decimal = /^\d+/.exec(first + reader.rest(4))![0]
  if (!inClass && first !== '0' && (decimal.length === 1 || Number(decimal) <= groups)) {
    reader.skip(decimal.length - 1)
    return { kind: 'backreference', name: decimal }
  }
  const octal = /^[0-7]{1,3}/.exec(decimal)?.[0]
  if (octal === undefined) {
    if (inClass) return literal(first)
    throw missingGroup(reader, start, decimal.length + 1)
  }
  reader.skip(octal.length - 1)
  const value = Number.parseInt(octal, 8)
  if (value > 0xff)
    throw reader.faultAt(start, reader.offset - start, 'syntax', 'a byte has a code up to 377')
  return { kind: 'bytes', bytes: [value] }
}

export function missingGroup(reader: PatternReader, start: number, length: number): Error {
  return reader.faultAt(start, length, 'syntax', 'reference to a group that does not exist')
}

/** `\k<name>`, `\k'name'`, `\k{name}`, `\g{name}`, `\g{1}`, `\g1`. */
function namedReference(reader: PatternReader, start: number, letter: string): Escape {
  const form = letter === 'k' ? /^(?:\{(\w+)\}|<(\w+)>|'(\w+)')/ : /^(?:\{(\w+)\}|(\d{1,3}))/
  const match = form.exec(reader.rest(36))
  if (match === null)
    throw reader.faultAt(start, 2, 'unsupported', 'only references to one group are supported here')
  reader.skip(match[0].length)
  return { kind: 'backreference', name: match.slice(1).find(part => part !== undefined)! }
}

/** `\cA` is the byte 1. */
function control(reader: PatternReader, start: number): Escape {
  const char = reader.next()
  if (!/^[ -~]$/.test(char)) throw reader.faultAt(start, 2, 'syntax', '\\c needs a character')
  return { kind: 'bytes', bytes: [char.toUpperCase().charCodeAt(0) ^ 0x40] }
}
