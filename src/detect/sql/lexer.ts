import { isAlphanumeric, isDigit } from '../../kit/ascii.ts'
import {
  AT,
  BACKSLASH,
  BACKTICK,
  BRACKET,
  DASH,
  DOLLAR,
  DOT,
  DOUBLE,
  HASH,
  SINGLE,
  SLASH,
  STAR,
} from './codes.ts'
import { Kind } from './kinds.ts'
import { beginsKeyword, dottedWord, isStringPrefix, wordAt } from './names.ts'
import { operatorAt, structureOf } from './operators.ts'
import type { Reading } from './reading.ts'
import {
  amountEnd,
  isBare,
  isBlank,
  isDotted,
  isLetterCode,
  isWordCode,
  numberEnd,
  runningBody,
  wordEnd,
} from './scan.ts'
import { signWord, unknownWord, type Word } from './words.ts'

/** Limit of unclosed dollar-quote tags and q'…' delimiters. After so many, no further one is searched for. */
const failuresAllowed = 8

const constant = signWord('\\n', Kind.constant)
const plain = signWord('', Kind.other)

/**
 * Reads a value as SQL, one token per call, into its fields. Blanks and comments between tokens are one gap of any
 * length. Each byte is read a bounded number of times, and nothing is allocated.
 */
export class Lexer {
  value = ''
  /** Some part has another meaning in the other dialect. */
  ambiguous = false

  kind: Kind = Kind.end
  word: Word = plain
  start = 0
  end = 0
  /** The gap before the token: nothing at all, a comment, a line's end, a comment inside a comment. */
  glued = false
  afterComment = false
  nested = false
  afterLine = false
  /** The token is the first inside a comment that MySQL runs, `/*!50000`. */
  running = false
  /** Only signs and blanks follow the mark of a tail. */
  bare = false
  /** The mark of a tail has a blank before or after it. */
  apart = false
  /** Position of the next pause: there the token is `Kind.gap`, until this position is moved. */
  pauseAt = Number.POSITIVE_INFINITY

  #mysql = false
  #open = 0
  #at = 0
  /** Start of the gap in which the lexer pauses; -1 outside such a gap. */
  #gapFrom = -1
  #failures = 0
  #noCommentEnd = false
  #noBracketEnd = false
  #noBacktickEnd = false

  begin(value: string, reading: Reading): void {
    this.value = value
    this.ambiguous = false
    this.#mysql = reading.mysql
    this.#open = reading.quote === '' ? 0 : reading.quote.charCodeAt(0)
    this.#at = 0
    this.#gapFrom = -1
    this.#failures = 0
    this.#noCommentEnd = false
    this.#noBracketEnd = false
    this.#noBacktickEnd = false
  }

  /** Continues at a token's start. */
  seek(at: number): void {
    this.#at = at
    this.#open = 0
  }

  next(): Kind {
    if (this.#open !== 0) {
      const quote = this.#open
      this.#open = 0
      this.glued = true
      this.afterComment = false
      this.nested = false
      this.running = false
      this.#string(-1, quote)
      return this.kind
    }
    if (this.#gap()) return this.kind
    const { value } = this
    const at = this.#at
    if (at >= value.length) return this.#take(Kind.end, plain, at, at)
    const code = value.charCodeAt(at)
    if (isLetterCode(code)) this.#word(at, code)
    else if (isDigit(code) || (code === DOT && isDigit(value.charCodeAt(at + 1)))) this.#number(at)
    else this.#sign(at, code)
    return this.kind
  }

  #take(kind: Kind, word: Word, start: number, end: number): Kind {
    this.kind = kind
    this.word = word
    this.start = start
    this.end = end
    this.#at = end
    return kind
  }

  /** Skips blanks and comments. @returns true if a comment without an end became the token, or at a pause */
  #gap(): boolean {
    const { value, pauseAt } = this
    const { length } = value
    let at = this.#at
    const from = this.#gapFrom < 0 ? at : this.#gapFrom
    if (this.#gapFrom < 0) this.#beginGap()
    else this.#gapFrom = -1
    for (; at < length; at++) {
      if (at >= pauseAt) {
        this.kind = Kind.gap
        this.#gapFrom = from
        this.#at = at
        return true
      }
      const code = value.charCodeAt(at)
      if (code > 0x2f && code !== 0xa0 && code !== 0x7f) break
      if (isBlank(code)) continue
      const end = this.#comment(at, code)
      if (end < 0) break
      if (this.kind === Kind.tail) {
        this.glued = at === from
        this.apart = code === SLASH || (code === DASH && (at > from || isBlank(value.charCodeAt(at + 2))))
        return true
      }
      this.afterComment = true
      at = end - 1
    }
    this.glued = at === from
    this.#at = at
    return false
  }

  #beginGap(): void {
    this.afterComment = false
    this.nested = false
    this.afterLine = false
    this.running = false
  }

  /** Position after the comment at `at`, with `kind` set to tail if it has no end; -1 if there is no comment. */
  #comment(at: number, code: number): number {
    const { value } = this
    const next = value.charCodeAt(at + 1)
    this.kind = Kind.end
    if (code === SLASH && next === STAR) return this.#blockComment(at)
    if (code === STAR && next === SLASH && value.charCodeAt(at + 2) !== STAR) return at + 2
    if (code === DASH && next === DASH) {
      const after = value.charCodeAt(at + 2)
      if (at + 2 < value.length && !isBlank(after)) {
        this.ambiguous = true
        if (this.#mysql) return -1
      }
      return this.#lineComment(at, 2)
    }
    if (code !== HASH) return -1
    this.ambiguous = true
    return this.#mysql ? this.#lineComment(at, 1) : -1
  }

  #lineComment(start: number, markLength: number): number {
    const newline = this.value.indexOf('\n', start)
    if (newline >= 0) {
      this.afterLine = true
      this.bare = isBare(this.value, start + markLength)
      return newline + 1
    }
    this.#take(Kind.tail, plain, start, this.value.length)
    this.bare = isBare(this.value, start + markLength)
    return start
  }

  #blockComment(start: number): number {
    const { value } = this
    const body = runningBody(value, start)
    if (body >= 0) {
      this.running = true
      return body
    }
    const close = this.#noCommentEnd ? -1 : value.indexOf('*/', start + 2)
    if (close < 0) {
      this.#noCommentEnd = true
      this.#take(Kind.tail, plain, start, value.length)
      this.bare = isBare(value, start + 2)
      return start
    }
    const inner = value.indexOf('/*', start + 2)
    if (inner >= 0 && inner <= close) this.nested = true
    return close + 2
  }

  #word(start: number, first: number): void {
    const { value } = this
    if (first === DOLLAR && (this.#dollars(start) || this.#money(start))) return
    const end = wordEnd(value, start)
    const next = value.charCodeAt(end)
    if (next === SINGLE && isStringPrefix(value, start, end)) {
      if ((value.charCodeAt(end - 1) | 0x20) === 0x71 && this.#oracleString(start, end)) return
      this.#string(end, SINGLE)
      this.start = start
      return
    }
    // `U&'…'`
    if (
      next === 0x26 &&
      end === start + 1 &&
      (first | 0x20) === 0x75 &&
      value.charCodeAt(end + 1) === SINGLE
    ) {
      this.#string(end + 1, SINGLE)
      return
    }
    this.#named(start, end)
  }

  /** A word, perhaps with dots: the first part decides, then `dottedWord`. */
  #named(start: number, end: number): void {
    const { value } = this
    const first = wordAt(value, start, end)
    if (!isDotted(value, end) || (first.kind !== Kind.name && first.kind !== Kind.type)) {
      this.#take(first.kind, first, start, end)
      return
    }
    let last = start
    let at = end
    while (isDotted(value, at)) {
      last = at + 1
      at = wordEnd(value, at + 1)
    }
    const word = dottedWord(value, start, end, last, at)
    this.#take(Kind.name, word.rank > 0 ? word : unknownWord, start, at)
  }

  /** The longest number. Letters after it begin a word if SQL has that word; else all of it is a name. */
  #number(start: number): void {
    const { value } = this
    const at = numberEnd(value, start)
    const end = wordEnd(value, at)
    if (end === at) {
      this.#take(Kind.number, plain, start, at)
      return
    }
    if (value.charCodeAt(at - 1) === DOT || beginsKeyword(value, at, end)) {
      this.#take(Kind.number, plain, start, at)
      return
    }
    // Oracle's `1d` and `1f`, alone or before a keyword.
    const suffix = value.charCodeAt(at) | 0x20
    if ((suffix === 0x64 || suffix === 0x66) && (end === at + 1 || beginsKeyword(value, at + 1, end))) {
      this.#take(Kind.number, plain, start, at + 1)
      return
    }
    this.#take(Kind.name, unknownWord, start, end)
  }

  #sign(start: number, code: number): void {
    const { value } = this
    if (code === SINGLE || code === DOUBLE) this.#string(start, code)
    else if (code === BACKTICK) this.#quotedName(start, '`')
    else if (code === BRACKET) this.#quotedName(start, ']')
    else if (code === AT && this.#variable(start)) return
    else if (code === BACKSLASH) this.#escape(start)
    else {
      const structure = structureOf(code)
      if (structure !== null) this.#take(structure.kind, structure, start, start + 1)
      else {
        const word = operatorAt(value, start)
        this.#take(word.kind, word, start, start + word.text.length)
      }
    }
  }

  /** `\N`. Before other letters, as in paths, backslashes have no meaning. */
  #escape(start: number): void {
    const { value } = this
    let at = start + 1
    while (value.charCodeAt(at) === BACKSLASH) at++
    const code = value.charCodeAt(at)
    if (!isWordCode(code)) this.#take(Kind.other, plain, start, at)
    else if ((code | 0x20) === 0x6e && at === start + 1 && !isWordCode(value.charCodeAt(at + 1)))
      this.#take(Kind.constant, constant, start, at + 1)
    else this.#named(at, wordEnd(value, at))
  }

  /**
   * A string from the quote at `start` (-1: the one that the statement opened). Two quotes in a row are one character.
   */
  #string(start: number, quote: number): void {
    const { value } = this
    const { length } = value
    for (let at = start + 1; at < length; at++) {
      const code = value.charCodeAt(at)
      if (code === BACKSLASH) {
        this.ambiguous = true
        if (this.#mysql) at++
      } else if (code === quote) {
        if (value.charCodeAt(at + 1) !== quote) {
          this.#take(Kind.string, plain, start, at + 1)
          return
        }
        at++
      }
    }
    this.#take(Kind.openString, plain, start, length)
  }

  #quotedName(start: number, close: '`' | ']'): void {
    const { value } = this
    const isBacktick = close === '`'
    const known = isBacktick ? this.#noBacktickEnd : this.#noBracketEnd
    const end = known ? -1 : value.indexOf(close, start + 1)
    if (end >= 0) {
      const word = wordAt(value, start + 1, end)
      this.#take(Kind.quotedName, word.rank > 0 ? word : unknownWord, start, end + 1)
    } else {
      if (isBacktick) this.#noBacktickEnd = true
      else this.#noBracketEnd = true
      this.#take(Kind.other, plain, start, start + 1)
    }
  }

  /** PostgreSQL's `$$…$$` and `$tag$…$tag$`. */
  #dollars(start: number): boolean {
    const { value } = this
    let at = start + 1
    while (at < start + 16 && isAlphanumeric(value.charCodeAt(at))) at++
    if (value.charCodeAt(at) !== DOLLAR || this.#failures >= failuresAllowed) return false
    this.ambiguous = true
    if (this.#mysql) return false
    const tag = value.slice(start, at + 1)
    const close = value.indexOf(tag, at + 1)
    if (close < 0) {
      this.#failures++
      return false
    }
    this.#take(Kind.string, plain, start, close + tag.length)
    return true
  }

  /** T-SQL's `$1.50`. */
  #money(start: number): boolean {
    if (!isDigit(this.value.charCodeAt(start + 1))) return false
    this.#take(Kind.number, plain, start, amountEnd(this.value, start + 1))
    return true
  }

  /** Oracle's `q'[…]'` and `nq'{…}'`. */
  #oracleString(start: number, quote: number): boolean {
    const { value } = this
    const mark = value.charAt(quote + 1)
    if (mark === '' || mark === ' ' || this.#failures >= failuresAllowed) return false
    const opening = '([{<'.indexOf(mark)
    const close = value.indexOf(`${opening < 0 ? mark : ')]}>'.charAt(opening)}'`, quote + 2)
    if (close < 0) {
      this.#failures++
      return false
    }
    this.#take(Kind.string, plain, start, close + 2)
    return true
  }

  /** `@a`, `@@a`, `@'a'`, `` @`a` ``, and `@` alone if no word precedes it. */
  #variable(start: number): boolean {
    const { value } = this
    const from = value.charCodeAt(start + 1) === AT ? start + 2 : start + 1
    const code = value.charCodeAt(from)
    if (isWordCode(code)) {
      let end = wordEnd(value, from)
      while (value.charCodeAt(end) === DOT && isWordCode(value.charCodeAt(end + 1)))
        end = wordEnd(value, end + 1)
      this.#take(Kind.variable, plain, start, end)
      return true
    }
    if (code === SINGLE || code === DOUBLE) {
      this.#string(from, code)
      if (this.kind === Kind.openString) {
        this.#take(Kind.variable, plain, start, from)
        return true
      }
      this.kind = Kind.variable
      this.start = start
      return true
    }
    if (code === BACKTICK) {
      this.#quotedName(from, '`')
      if (this.kind !== Kind.quotedName) this.#at = from
      this.kind = Kind.variable
      this.word = plain
      this.start = start
      return true
    }
    if (value.charCodeAt(from) === 0x3e) return false
    this.#take(Kind.variable, plain, start, from)
    return true
  }
}
