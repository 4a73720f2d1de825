import { WordTable } from '../word-table.ts'
import { type FunctionRank, functionRank, knownWords, type TokenType, wordType } from './keywords.ts'

/** What a word or an operator says, whatever the value it stands in; shared by all tokens that say it. */
export interface Word {
  /** Lower case; '' for what has no text of interest (strings, numbers, parentheses). */
  readonly text: string
  /** Outside of calls. */
  readonly type: TokenType
  /** As the name of a function; 0 when it is none. */
  readonly rank: FunctionRank | 0
  /** May stand before an operand without one on its left. */
  readonly unary: boolean
  readonly comparison: 'none' | 'sign' | 'word'
  /** May add nothing but itself to the keyword before it. */
  readonly joins: boolean
}

const signComparisons = new Set([
  '=',
  '==',
  '<>',
  '!=',
  '<',
  '>',
  '<=',
  '>=',
  '<=>',
  '!<',
  '!>',
  '@>',
  '<@',
  '->',
  '->>',
  '#>>',
])
const wordComparisons = new Set([
  'like',
  'rlike',
  'regexp',
  'glob',
  'ilike',
  'sounds',
  'similar',
  'between',
  'is',
  'in',
])
const joining = new Set(['all', 'distinct', 'top', 'to', 'asc', 'desc', 'outfile', 'dumpfile'])
const unaries = new Set(['+', '-', '~', '!', 'not'])

export function makeWord(text: string, type: TokenType, rank: FunctionRank | 0 = 0): Word {
  return {
    text,
    type,
    rank,
    unary: unaries.has(text),
    comparison: signComparisons.has(text) ? 'sign' : wordComparisons.has(text) ? 'word' : 'none',
    joins: joining.has(text),
  }
}

/** Of tokens without a text. */
export const noWord: Word = makeWord('', '?')
/** Of all words that no list names; what they say is in the value. */
export const unknownWord: Word = makeWord('?', 'n')

/** The word from `start` to `end`, in any case. */
export function findWord(value: string, start: number, end: number): Word {
  return table.find(value, start, end)
}

const table = new WordTable(
  knownWords.map((text): [string, Word] => [text, makeWord(text, wordType(text), functionRank(text))]),
  unknownWord,
)
