import { isAlphanumeric } from '../../kit/ascii.ts'
import { ByteSet, type Requirements } from '../../regex/index.ts'
import { literalsClause } from '../literals-clause.ts'
import { Kind, Rank } from './kinds.ts'
import { callsOf, wordsOf } from './words.ts'

const literalBytes = 8
const literals = (list: readonly string[]) => literalsClause(list, literalBytes)
const quotes = ["'", '"', '`']
const comments = ['--', '#', '/*']
const logic = [...wordsOf(Kind.logic), '||', '&&']

/**
 * Names of calls that are inside names of browsers and fields. They count only with a byte that may precede a
 * parenthesis.
 */
const partsOfOtherWords = ['user', 'version']

const cuts = callsOf(Rank.cut)
/** Names of calls from this length on are rare inside other words. */
const distinctBytes = 6

/** Conditions that every value detected by `detectSqli` meets. The clauses follow the rows of evidence.ts. */
export const sqliRequirements: Requirements = [
  { kind: 'bytes', bytes: separators() },
  // A relevant fragment begins with an operand, a parenthesis, another statement, or a query.
  literals([
    ...quotes,
    ...comments,
    ...'0123456789()@;$\\',
    ...wordsOf(Kind.constant, Kind.union, Kind.select, Kind.case, Kind.having, Kind.file),
    'exec',
  ]),
  // Operands, parentheses and signs alone are no injection.
  literals([
    ...quotes,
    ...comments,
    ...logic,
    ...wordsOf(
      Kind.union,
      Kind.select,
      Kind.case,
      Kind.exists,
      Kind.group,
      Kind.having,
      Kind.where,
      Kind.from,
    ),
    ...wordsOf(Kind.file, Kind.procedure, Kind.statement),
    ...ended(wordsOf(Kind.if), '(+-~!@[{.'),
    ...callsOf(Rank.hot),
    ...callsOf(Rank.server).filter(name => !partsOfOtherWords.includes(name)),
    ...cuts.filter(name => name.length >= distinctBytes),
    ...ended([...partsOfOtherWords, ...cuts.filter(name => name.length < distinctBytes)], '(]'),
  ]),
  // After a quote that closes the string of the surrounding statement, SQL continues.
  literals([
    ...'(+-*/%^|&<>=!~:@#;',
    ...logic,
    ...wordsOf(
      Kind.union,
      Kind.select,
      Kind.case,
      Kind.exists,
      Kind.group,
      Kind.having,
      Kind.where,
      Kind.limit,
    ),
    ...wordsOf(Kind.file, Kind.procedure, Kind.statement, Kind.from, Kind.operator, Kind.constant),
    ...wordsOf(Kind.comparison).filter(word => word !== 'in' && word !== 'is'),
    // IN is followed by a parenthesis, or by the mode of MATCH.
    'boolean',
    'natural',
    ...ended(['is'], '\'"`[{.\\$'),
  ]),
]

/** Short words, each followed by a blank or one of some signs. */
function ended(words: readonly string[], signs: string): string[] {
  const blanks = [...Array(0x21).keys(), 0x7f, 0xa0].map(code => String.fromCharCode(code))
  return words.flatMap(word => [...blanks, ...signs].map(sign => word + sign))
}

/** Bytes that are no part of a word: words alone cannot leave their position in a statement. */
function separators(): ByteSet {
  const set = new ByteSet()
  for (let code = 0; code < 0x80; code++) if (!isWordByte(code)) set.addRange(code, code)
  set.addRange(0xa0, 0xa0)
  return set
}

function isWordByte(code: number): boolean {
  return isAlphanumeric(code) || code === 0x5f || code === 0x2e
}
