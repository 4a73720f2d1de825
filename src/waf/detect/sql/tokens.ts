import { hexValue, isDigit, isSpace } from '../../../kit/ascii.ts'
import type { TokenType } from './keywords.ts'
import { operatorAt } from './operators.ts'
import {
  blanksEnd,
  callStart,
  digitsEnd,
  exponentEnd,
  isLetter,
  isWordCode,
  spaceEnd,
  wordEnd,
} from './scan.ts'
import type { Token } from './token.ts'
import { findWord, makeWord, noWord, unknownWord, type Word } from './words.ts'

/** How a database reads the parts on which databases differ. */
export interface Reading {
  /** MySQL: `#` and `-- ` begin comments, `\` escapes in strings. Otherwise `--` alone does, and `\` is a character. */
  readonly mysql: boolean
  /** The quote that the surrounding statement has open where the value begins; '' for none. */
  readonly quote: '' | "'" | '"'
}

const SINGLE = 0x27
const DOUBLE = 0x22
const HASH = 0x23
const DASH = 0x2d
const DOT = 0x2e
const SLASH = 0x2f
const STAR = 0x2a
const BACKTICK = 0x60
const DOLLAR = 0x24
const AT = 0x40
const BACKSLASH = 0x5c
const BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
/** No keyword or function is longer; longer words are bare words whatever they say. */
const wordBytesMax = 40
const bracketBytesMax = 64

const variable = makeWord('@', 'v')
const systemVariable = makeWord('@@', 'v')
const runningComment = makeWord('/*!', 'X')
/** Structure by its byte. */
const structure: readonly (TokenType | undefined)[] = Array.from({ length: 256 }, (_, code) =>
  '(),;'.includes(String.fromCharCode(code)) ? (String.fromCharCode(code) as TokenType) : undefined,
)

/**
 * Reads a value as SQL, one token a call. Each byte is looked at a bounded number of times. One object reads value after
 * value: to make one costs more than most values do.
 */
export class Tokenizer {
  /** Some part was read one way where the other dialect reads it differently. */
  ambiguous = false
  value = ''
  #mysql = false
  /** Code of the quote that is open at the start, 0 for none; read by the first call. */
  #open = 0
  #at = 0
  /** Where the last `$$` is; -2 as long as nobody asked. */
  #dollarsEnd = -2

  begin(value: string, reading: Reading): void {
    this.ambiguous = false
    this.value = value
    this.#mysql = reading.mysql
    this.#open = reading.quote === '' ? 0 : reading.quote.charCodeAt(0)
    this.#at = 0
    this.#dollarsEnd = -2
  }

  /** Reads the next token into `token`; false at the end of the value. */
  next(token: Token): boolean {
    if (this.#open !== 0) {
      this.#string(token, -1, this.#open)
      this.#open = 0
      return true
    }
    const { value } = this
    const at = spaceEnd(value, this.#at)
    if (at >= value.length) return false
    const code = value.charCodeAt(at)
    if (isDigit(code) || (code === DOT && isDigit(value.charCodeAt(at + 1)))) this.#number(token, at)
    else if (isWordCode(code)) {
      if (code !== DOLLAR || !this.#dollars(token, at)) this.#word(token, at)
    } else this.#sign(token, at, code)
    return true
  }

  /**
   * Reads on over bare words that no list names: behind an operand they change nothing, however many there are.
   * @returns where the last of them ends; -1 when none stands next
   */
  skipProse(): number {
    const { value } = this
    let skipped = -1
    for (;;) {
      const start = spaceEnd(value, this.#at)
      if (start >= value.length || !isLetter(value.charCodeAt(start))) return skipped
      const end = wordEnd(value, start)
      if (findWord(value, start, end) !== unknownWord) return skipped
      // The letter may be the prefix of a string.
      if (end === start + 1 && value.charCodeAt(end) === SINGLE) return skipped
      this.#at = end
      skipped = end
    }
  }

  #take(token: Token, type: TokenType, word: Word, start: number, end: number): void {
    this.#at = end
    token.set(type, word, start, end)
  }

  #sign(token: Token, at: number, code: number): void {
    const type = structure[code]
    if (type !== undefined) this.#take(token, type, noWord, at, at + 1)
    else if (code === SINGLE || code === DOUBLE) this.#string(token, at, code)
    else if (code === BACKTICK) this.#quotedName(token, at, BACKTICK, this.value.length)
    else if (code === BRACKET) this.#quotedName(token, at, CLOSING_BRACKET, at + bracketBytesMax)
    else if (code === AT && this.#variable(token, at)) return
    else if (this.#comment(token, at, code)) return
    else {
      const word = operatorAt(this.value, at)
      this.#take(token, word.type, word, at, at + word.text.length)
    }
  }

  /** From the quote at `start` (-1: the one that the statement opened). Two quotes in a row are one character. */
  #string(token: Token, start: number, quote: number): void {
    const { value } = this
    const { length } = value
    for (let at = start + 1; at < length; at++) {
      const code = value.charCodeAt(at)
      if (code === BACKSLASH) {
        this.ambiguous = true
        if (this.#mysql) at++
      } else if (code === quote) {
        if (at + 1 === length || value.charCodeAt(at + 1) !== quote) {
          this.#take(token, 's', noWord, start, at + 1)
          return
        }
        at++
      }
    }
    this.#take(token, 's', noWord, start, length)
    token.open = true
  }

  #number(token: Token, start: number): void {
    const { value } = this
    let at = start
    if (
      value.charCodeAt(at) === 0x30 &&
      (value.charCodeAt(at + 1) | 0x20) === 0x78 &&
      hexValue(value.charCodeAt(at + 2)) >= 0
    ) {
      at += 2
      while (at < value.length && hexValue(value.charCodeAt(at)) >= 0) at++
    } else {
      at = digitsEnd(value, at)
      if (value.charCodeAt(at) === DOT) at = digitsEnd(value, at + 1)
      at = exponentEnd(value, at)
    }
    // Letters directly behind digits: "1or" is a number and OR, "10px" is a word.
    const end = wordEnd(value, at)
    if (end > at && findWord(value, at, end).type === 'n') this.#take(token, 'n', noWord, start, end)
    else this.#take(token, '1', noWord, start, at)
  }

  #word(token: Token, start: number): void {
    const { value } = this
    const end = wordEnd(value, start)
    if (end - start > wordBytesMax) {
      this.#take(token, 'n', noWord, start, end)
      return
    }
    if (end === start + 1 && value.charCodeAt(end) === SINGLE && isStringPrefix(value.charCodeAt(start))) {
      this.#string(token, end, SINGLE)
      return
    }
    const word = findWord(value, start, end)
    this.#take(token, word.type, word, start, end)
    token.nameEnd = end
    const call = callStart(value, end)
    if (call < 0) return
    // Blanks before "(" are how people write; only names that are no words of theirs are calls all the same.
    const { rank } = word
    if (rank === 3 || (rank > 0 && (call === end || (rank === 2 && value.charCodeAt(end) === SLASH)))) {
      token.type = 'f'
    } else token.complete = word.type === 'n' && (call === end || hasUnderscore(value, start, end))
  }

  /** A name in quotes of its own, which close before `limit`. Text where they do not close soon is not a name. */
  #quotedName(token: Token, start: number, close: number, limit: number): void {
    const { value } = this
    const last = Math.min(limit, value.length)
    let at = start + 1
    while (at < last && value.charCodeAt(at) !== close) at++
    if (at < last) {
      const nameEnd = Math.min(at, start + wordBytesMax)
      const word = nameEnd === start + 1 ? noWord : findWord(value, start + 1, nameEnd)
      const isCall = word.rank > 0 && callStart(value, at + 1) >= 0
      this.#take(token, isCall ? 'f' : 'n', word, start, at + 1)
      token.nameStart = start + 1
      token.nameEnd = nameEnd
    } else if (close === BACKTICK) {
      this.#take(token, 'n', noWord, start, value.length)
      token.open = true
    } else this.#take(token, '?', noWord, start, start + 1)
  }

  /** PostgreSQL's $$text$$; where no second $$ follows the two are part of a word. */
  #dollars(token: Token, start: number): boolean {
    const { value } = this
    if (value.charCodeAt(start + 1) !== DOLLAR) return false
    if (this.#dollarsEnd === -2) this.#dollarsEnd = value.lastIndexOf('$$')
    if (this.#dollarsEnd < start + 2) return false
    this.#take(token, 's', noWord, start, value.indexOf('$$', start + 2) + 2)
    return true
  }

  #variable(token: Token, start: number): boolean {
    const { value } = this
    const from = value.charCodeAt(start + 1) === AT ? start + 2 : start + 1
    const end = wordEnd(value, from)
    if (end === from) return false
    this.#take(token, 'v', from - start === 2 ? systemVariable : variable, start, end)
    return true
  }

  #comment(token: Token, start: number, code: number): boolean {
    const { value } = this
    const next = value.charCodeAt(start + 1)
    if (code === SLASH && next === STAR) {
      this.#blockComment(token, start)
      return true
    }
    if (code === HASH) {
      this.ambiguous = true
      if (this.#mysql) this.#lineComment(token, start)
      return this.#mysql
    }
    if (code !== DASH || next !== DASH) return false
    const spaced = start + 2 === value.length || isSpace(value.charCodeAt(start + 2))
    if (!spaced) this.ambiguous = true
    if (!spaced && this.#mysql) return false
    this.#lineComment(token, start)
    return true
  }

  #lineComment(token: Token, start: number): void {
    const newline = this.value.indexOf('\n', start)
    this.#take(token, 'c', noWord, start, newline < 0 ? this.value.length : newline)
    token.open = newline < 0
  }

  #blockComment(token: Token, start: number): void {
    const { value } = this
    // MySQL runs what stands in /*! … */ with a version or a keyword; minifiers keep "/*! licence */".
    if (value.charCodeAt(start + 2) === 0x21 && executable(value, start + 3)) {
      this.#take(token, 'X', runningComment, start, start + 3)
      return
    }
    const close = value.indexOf('*/', start + 2)
    this.#take(token, 'c', noWord, start, close < 0 ? value.length : close + 2)
    token.open = close < 0
  }
}

/** `x'41'`, `n'…'`, `b'01'`, `e'…'`, `u&'…'`, `q'[…]'`. */
function isStringPrefix(code: number): boolean {
  return 'xnbeuq'.includes(String.fromCharCode(code | 0x20))
}

function hasUnderscore(value: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (value.charCodeAt(at) === 0x5f) return true
  return false
}

function executable(value: string, at: number): boolean {
  if (isDigit(value.charCodeAt(at))) return true
  const from = blanksEnd(value, at)
  const end = wordEnd(value, from)
  if (end === from || end - from > wordBytesMax) return false
  const word = findWord(value, from, end)
  return word.type !== 'n' || word.rank > 1
}
