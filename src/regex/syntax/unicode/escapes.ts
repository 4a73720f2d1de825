import type { Dialect } from '../dialect.ts'
import { readEscape } from '../escape.ts'
import type { PatternReader } from '../pattern-reader.ts'
import { type CodeSet, complementOf } from './code-set.ts'
import { charactersWith, digitCharacters, spaceCharacters, wordCharacters } from './properties.ts'

const classes: Readonly<Record<string, () => CodeSet>> = {
  d: digitCharacters,
  w: wordCharacters,
  s: spaceCharacters,
}

/** The meaning of a backslash in Unicode mode: one character, or a set of them. */
export type UnicodeEscape =
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'codes'; readonly set: CodeSet }
  | { readonly kind: 'assertion'; readonly assertion: 'text-start' | 'text-end' }

/** Reads the rest of an escape after its backslash. */
export function readUnicodeEscape(
  reader: PatternReader,
  dialect: Dialect,
  start: number,
  inClass: boolean,
): UnicodeEscape {
  const letter = reader.peek()
  const lower = letter.toLowerCase()
  if (lower === 'p') {
    reader.skip(1)
    return { kind: 'codes', set: readProperty(reader, start, letter === 'P') }
  }
  if (Object.hasOwn(classes, lower)) {
    reader.skip(1)
    const set = classes[lower]!()
    return { kind: 'codes', set: letter === lower ? set : complementOf(set) }
  }
  const read = readEscape(reader, dialect, { start, inClass, groups: 0 })
  if (read.kind === 'bytes') return { kind: 'code', code: codeOf(read.bytes) }
  if (read.kind === 'assertion' && (read.assertion === 'text-start' || read.assertion === 'text-end')) {
    return { kind: 'assertion', assertion: read.assertion }
  }
  const length = reader.offset - start
  if (inClass) throw reader.faultAt(start, length, 'syntax', 'this escape has no meaning in a class')
  const message = 'word boundaries are not supported in Unicode mode; (?-u:…) has those of ASCII'
  throw reader.faultAt(start, length, 'unsupported', message)
}

/** `\xe9` is the character here, not the byte; others come as the bytes of their character. */
function codeOf(bytes: readonly number[]): number {
  if (bytes.length === 1) return bytes[0]!
  return new TextDecoder().decode(Uint8Array.from(bytes)).codePointAt(0)!
}

/** `\pL`, `\p{Greek}`, `\p{^Greek}`, `\p{sc=Greek}`. */
function readProperty(reader: PatternReader, start: number, negated: boolean): CodeSet {
  const written = reader.take('{') ? reader.until('}') : reader.next()
  const not = written?.startsWith('^') === true
  const set = written === undefined ? undefined : charactersWith(not ? written.slice(1) : written)
  if (set === undefined) {
    throw reader.faultAt(start, reader.offset - start, 'unsupported', 'unknown Unicode property')
  }
  return negated === not ? set : complementOf(set)
}
