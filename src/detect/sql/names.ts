import { Kind } from './kinds.ts'
import { findWord, unknownWord, type Word } from './words.ts'

/** No listed word is longer. */
const longestWordBytes = 40

/** The word from `start` to `end`; the unknown one if it is too long for a listed word. */
export function wordAt(value: string, start: number, end: number): Word {
  return end - start > longestWordBytes ? unknownWord : findWord(value, start, end)
}

/**
 * The word for a dotted name from `start` to `end`.
 * @param firstEnd end of the part before the first dot
 * @param last start of the part after the last dot
 */
export function dottedWord(value: string, start: number, firstEnd: number, last: number, end: number): Word {
  const whole = wordAt(value, start, end)
  const isOwned = whole === unknownWord && schemas.has(value.slice(start, firstEnd).toLowerCase())
  return isOwned ? wordAt(value, last, end) : whole
}

/** Owners of functions that are known without their owner. */
const schemas: ReadonlySet<string> = new Set([
  'dbo',
  'sys',
  'master',
  'pg_catalog',
  'information_schema',
  'mysql',
])

/** Whether a word other than a name or a type is from `start` to `end`. */
export function beginsKeyword(value: string, start: number, end: number): boolean {
  const { kind } = wordAt(value, start, end)
  return kind !== Kind.name && kind !== Kind.type
}

/** `x'41'`, `n'…'`, `b'01'`, `e'…'`, `q'…'`, `nq'…'`, and MySQL's introducers (`_utf8'…'`). */
export function isStringPrefix(value: string, start: number, end: number): boolean {
  const first = value.charCodeAt(start)
  if (first === 0x5f) return true
  if (end - start === 1) return 'xnbeq'.includes(String.fromCharCode(first | 0x20))
  return end - start === 2 && (first | 0x20) === 0x6e && (value.charCodeAt(start + 1) | 0x20) === 0x71
}
