import { asciiLower } from '../../../kit/ascii.ts'
import type { TokenType } from './keywords.ts'
import { noWord, type Word } from './words.ts'

/** One word of SQL with what folding has learnt about it. Tokens are reused: one object for each place on the stack. */
export class Token {
  type: TokenType = '?'
  word: Word = noWord
  start = 0
  end = 0
  /** Where a name stands, without quotes around it; empty for everything else. */
  nameStart = 0
  nameEnd = 0
  /** A string without its closing quote, or a comment that runs to the end of the value. */
  open = false
  /** What folding found inside an operand: 0 nothing, 1 a comparison with a name, 2 a comparison of constants. */
  claim: 0 | 1 | 2 = 0
  /** Operands stand side by side without an operator: sentences do that, SQL hardly. */
  prose = false
  /** Several operands in a row, with commas between them. */
  list = false
  /** A statement of two words is whole (`drop table`), or a bare word is called (`f(`). */
  complete = false

  /** Lower-case text of operators and of words that some list names, '' for strings, numbers and comments. */
  get text(): string {
    return this.word.text
  }

  set(type: TokenType, word: Word, start: number, end: number): void {
    this.type = type
    this.word = word
    this.start = start
    this.end = end
    this.nameStart = start
    this.nameEnd = start
    this.open = false
    this.claim = 0
    this.prose = false
    this.list = false
    this.complete = false
  }
}

/** A folded value with the reading it came from. */
export interface Case {
  readonly value: string
  readonly tokens: readonly Token[]
  /** The value begins inside a string of the statement, which its first quote closes. */
  readonly quoted: boolean
}

/** The name that a token began with, in lower case. */
export function nameOf(value: string, token: Token): string {
  return asciiLower(value.slice(token.nameStart, token.nameEnd))
}
