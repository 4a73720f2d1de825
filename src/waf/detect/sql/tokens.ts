import { asciiLower, hexValue, isAlphanumeric, isDigit, isSpace } from '../../../kit/ascii.ts'
import { functionRank, type TokenType, wordType } from './keywords.ts'

/** One word of SQL with what folding has learnt about it. */
export interface Token {
  type: TokenType
  /** Lower-case text of words and operators, '' for strings, numbers and comments. */
  text: string
  readonly start: number
  end: number
  /** A string without its closing quote, or a comment that runs to the end of the value. */
  open: boolean
  /** What folding found inside an operand: 0 nothing, 1 a comparison with a name, 2 a comparison of constants. */
  claim: 0 | 1 | 2
  /** Operands stand side by side without an operator: sentences do that, SQL hardly. */
  prose: boolean
  /** Several operands in a row, with commas between them. */
  list: boolean
  /** A statement of two words is whole (`drop table`), or a bare word is called (`f(`). */
  complete: boolean
}

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
const SLASH = 0x2f
const STAR = 0x2a
const BACKTICK = 0x60
const DOLLAR = 0x24
const AT = 0x40
const BACKSLASH = 0x5c
const BRACKET = 0x5b
/** No keyword or function is longer; longer words are bare words whatever they say. */
const wordBytesMax = 40
const bracketBytesMax = 64
/** Blanks between a name and its parenthesis. */
const blanksMax = 16
const longOperators = [
  '<=>',
  '->>',
  '#>>',
  '||',
  '&&',
  '<>',
  '!=',
  '<=',
  '>=',
  '==',
  ':=',
  '<<',
  '>>',
  '::',
  '!<',
  '!>',
  '->',
  '@>',
  '<@',
]
const operatorStarts = '+-*/%^|&<>=!~:@#'

/** Reads a value as SQL, one token a call. Each byte is looked at a bounded number of times. */
export class Tokenizer {
  /** Some part was read one way where the other dialect reads it differently. */
  ambiguous = false
  readonly value: string
  readonly #mysql: boolean
  readonly #quote: Reading['quote']
  #at = 0
  #dollarsEnd: number | undefined

  constructor(value: string, reading: Reading) {
    this.value = value
    this.#mysql = reading.mysql
    this.#quote = reading.quote
  }

  next(): Token | null {
    if (this.#at === 0 && this.#quote !== '') return this.#string(-1, this.#quote.charCodeAt(0))
    this.#skipSpace()
    const { value } = this
    const at = this.#at
    if (at >= value.length) return null
    const code = value.charCodeAt(at)
    if (code === SINGLE || code === DOUBLE) return this.#string(at, code)
    if (isDigit(code) || (code === 0x2e && isDigit(value.charCodeAt(at + 1)))) return this.#number(at)
    if (code === DOLLAR && value.charCodeAt(at + 1) === DOLLAR) return this.#dollars(at)
    if (isWordCode(code)) return this.#word(at)
    if (code === BACKTICK) return this.#quotedName(at, '`', value.length)
    if (code === BRACKET) return this.#quotedName(at, ']', bracketBytesMax)
    if (code === AT) {
      const variable = this.#variable(at)
      if (variable !== null) return variable
    }
    return this.#comment(at, code) ?? this.#operator(at, code)
  }

  #skipSpace(): void {
    const { value } = this
    let at = this.#at
    for (; at < value.length; at++) {
      const code = value.charCodeAt(at)
      if (isSpace(code) || code === 0) continue
      // No-break space of Latin-1, which MySQL skips; after a high byte it is the tail of a UTF-8 letter.
      if (code === 0xa0 && !(value.charCodeAt(at - 1) >= 0x80)) continue
      break
    }
    this.#at = at
  }

  #take(type: TokenType, start: number, end: number, text = '', open = false): Token {
    this.#at = end
    return { type, text, start, end, open, claim: 0, prose: false, list: false, complete: false }
  }

  /** From the quote at `start` (-1: the one that the statement opened). Two quotes in a row are one character. */
  #string(start: number, quote: number): Token {
    const { value } = this
    for (let at = start + 1; at < value.length; at++) {
      const code = value.charCodeAt(at)
      if (code === BACKSLASH) {
        this.ambiguous = true
        if (this.#mysql) at++
      } else if (code === quote) {
        if (value.charCodeAt(at + 1) !== quote) return this.#take('s', start, at + 1)
        at++
      }
    }
    return this.#take('s', start, value.length, '', true)
  }

  #number(start: number): Token {
    const { value } = this
    let at = start
    if (
      value.charCodeAt(at) === 0x30 &&
      (value.charCodeAt(at + 1) | 0x20) === 0x78 &&
      hexValue(value.charCodeAt(at + 2)) >= 0
    ) {
      at += 2
      while (hexValue(value.charCodeAt(at)) >= 0) at++
    } else {
      while (isDigit(value.charCodeAt(at))) at++
      if (value.charCodeAt(at) === 0x2e) at++
      while (isDigit(value.charCodeAt(at))) at++
      at = exponentEnd(value, at)
    }
    if (!isWordCode(value.charCodeAt(at))) return this.#take('1', start, at)
    // Letters directly behind digits: "1or" is a number and OR, "10px" is a word.
    const end = wordEnd(value, at)
    const tail = end - at > wordBytesMax ? '' : asciiLower(value.slice(at, end))
    if (wordType(tail) !== 'n') return this.#take('1', start, at)
    return this.#take('n', start, end)
  }

  #word(start: number): Token {
    const { value } = this
    const end = wordEnd(value, start)
    if (end - start > wordBytesMax) return this.#take('n', start, end)
    const text = asciiLower(value.slice(start, end))
    const next = value.charCodeAt(end)
    if (end === start + 1 && next === SINGLE && 'xnbeuq'.includes(text)) return this.#string(end, SINGLE)
    const type = wordType(text)
    const call = callStart(value, end)
    if (call < 0) return this.#take(type, start, end, text)
    const rank = functionRank(text)
    // Blanks before "(" are how people write; only names that are no words of theirs are calls all the same.
    if (rank === 3 || (rank > 0 && (call === end || (rank === 2 && value.charCodeAt(end) === SLASH)))) {
      return this.#take('f', start, end, text)
    }
    const token = this.#take(type, start, end, text)
    token.complete = type === 'n' && (call === end || text.includes('_'))
    return token
  }

  /** A name in quotes of its own. Text where they do not close soon is not a name. */
  #quotedName(start: number, close: string, bytesMax: number): Token {
    const { value } = this
    const end =
      bytesMax < value.length
        ? value.slice(start, start + bytesMax).indexOf(close)
        : value.indexOf(close, start + 1) - start
    if (end > 0) {
      const text = asciiLower(value.slice(start + 1, start + Math.min(end, wordBytesMax)))
      if (callStart(value, start + end + 1) >= 0 && functionRank(text) > 0)
        return this.#take('f', start, start + end + 1, text)
      return this.#take('n', start, start + end + 1, text)
    }
    return close === '`' ? this.#take('n', start, value.length, '', true) : this.#take('?', start, start + 1)
  }

  /** PostgreSQL's $$text$$; where no second $$ follows the two are part of a word. */
  #dollars(start: number): Token {
    const { value } = this
    this.#dollarsEnd ??= value.lastIndexOf('$$')
    if (this.#dollarsEnd < start + 2) return this.#word(start)
    return this.#take('s', start, value.indexOf('$$', start + 2) + 2)
  }

  #variable(start: number): Token | null {
    const { value } = this
    const from = value.charCodeAt(start + 1) === AT ? start + 2 : start + 1
    const end = wordEnd(value, from)
    if (end === from) return null
    return this.#take('v', start, end, from - start === 2 ? '@@' : '@')
  }

  #comment(start: number, code: number): Token | null {
    const { value } = this
    const next = value.charCodeAt(start + 1)
    if (code === SLASH && next === STAR) return this.#blockComment(start)
    if (code === HASH) {
      this.ambiguous = true
      return this.#mysql ? this.#lineComment(start) : null
    }
    if (code !== DASH || next !== DASH) return null
    const after = value.charCodeAt(start + 2)
    if (Number.isNaN(after) || isSpace(after)) return this.#lineComment(start)
    this.ambiguous = true
    return this.#mysql ? null : this.#lineComment(start)
  }

  #lineComment(start: number): Token {
    const newline = this.value.indexOf('\n', start)
    return this.#take('c', start, newline < 0 ? this.value.length : newline, '', newline < 0)
  }

  #blockComment(start: number): Token {
    const { value } = this
    // MySQL runs what stands in /*! … */ with a version or a keyword; minifiers keep "/*! licence */".
    if (value.charCodeAt(start + 2) === 0x21 && executable(value, start + 3))
      return this.#take('X', start, start + 3, '/*!')
    const close = value.indexOf('*/', start + 2)
    return close < 0
      ? this.#take('c', start, value.length, '', true)
      : this.#take('c', start, close + 2, '', false)
  }

  #operator(start: number, code: number): Token {
    const { value } = this
    if (code === 0x28) return this.#take('(', start, start + 1)
    if (code === 0x29) return this.#take(')', start, start + 1)
    if (code === 0x2c) return this.#take(',', start, start + 1)
    if (code === 0x3b) return this.#take(';', start, start + 1)
    if (!operatorStarts.includes(value.charAt(start)))
      return this.#take('?', start, start + 1, value.charAt(start))
    const long = longOperators.find(operator => value.startsWith(operator, start))
    if (long === '&&' || long === '||') return this.#take('&', start, start + 2, long)
    if (long !== undefined) return this.#take('o', start, start + long.length, long)
    const single = code === 0x3a || code === AT ? '?' : 'o'
    return this.#take(single, start, start + 1, value.charAt(start))
  }
}

/** Letters, digits, `_`, `$`, `\` (Windows paths) and every byte above ASCII. */
function isWordCode(code: number): boolean {
  return (
    isAlphanumeric(code) ||
    code === 0x5f ||
    code === DOLLAR ||
    code === BACKSLASH ||
    (code >= 0x80 && code !== 0xa0)
  )
}

/** Words go on over a dot with a word behind it (`schema.table`), and over the tail bytes of UTF-8 letters. */
function wordEnd(value: string, from: number): number {
  let at = from
  for (; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (isWordCode(code)) continue
    if (code === 0xa0 && at > from && value.charCodeAt(at - 1) >= 0x80) continue
    if (code !== 0x2e || at === from) break
    const next = value.charCodeAt(at + 1)
    if (!isWordCode(next) && next !== 0x2e) break
  }
  return at
}

function exponentEnd(value: string, at: number): number {
  if ((value.charCodeAt(at) | 0x20) !== 0x65) return at
  const sign = value.charCodeAt(at + 1)
  let end = sign === 0x2b || sign === DASH ? at + 2 : at + 1
  if (!isDigit(value.charCodeAt(end))) return at
  while (isDigit(value.charCodeAt(end))) end++
  return end
}

/** Where the "(" of a call stands behind a name: at once, after a few blanks or one short comment; -1: no call. */
function callStart(value: string, from: number): number {
  let at = blanksEnd(value, from)
  if (value.startsWith('/*', at)) {
    const close = value.slice(at + 2, at + 2 + bracketBytesMax).indexOf('*/')
    if (close >= 0) at = blanksEnd(value, at + close + 4)
  }
  return value.charCodeAt(at) === 0x28 ? at : -1
}

function blanksEnd(value: string, from: number): number {
  let at = from
  while (at < from + blanksMax && isSpace(value.charCodeAt(at))) at++
  return at
}

function executable(value: string, at: number): boolean {
  if (isDigit(value.charCodeAt(at))) return true
  const from = blanksEnd(value, at)
  const end = wordEnd(value, from)
  if (end === from || end - from > wordBytesMax) return false
  const word = asciiLower(value.slice(from, end))
  return wordType(word) !== 'n' || functionRank(word) > 1
}
