import { bytesOfText } from '../../kit/bytes.ts'
import { ExpressionFault } from './fault.ts'

export interface Span {
  /** Byte offsets; `end` is one past the last byte. */
  readonly start: number
  readonly end: number
}

/**
 * A cursor over the bytes of an expression. The reading of a literal depends on the type to its left, so there is no
 * token list: the parser asks for the token that the grammar allows next (literals: `literals.ts`).
 */
export class Lexer {
  /** The whole text, UTF-8 as a byte string; positions refer to it. */
  readonly bytes: string
  /** End of the trimmed text. */
  readonly end: number
  at: number

  constructor(text: string) {
    this.bytes = bytesOfText(text)
    const withoutTail = text.trimEnd()
    this.end = bytesOfText(withoutTail).length
    this.at = this.end - bytesOfText(withoutTail.trimStart()).length
  }

  get atEnd(): boolean {
    return this.at >= this.end
  }

  /** The next byte; empty at the end. */
  peek(offset = 0): string {
    const index = this.at + offset
    return index < this.end ? this.bytes[index]! : ''
  }

  startsWith(literal: string): boolean {
    return this.bytes.startsWith(literal, this.at) && this.at + literal.length <= this.end
  }

  /** Blank, carriage return and line feed; a tab is not white space. */
  skipSpace(): void {
    while (this.at < this.end && isSpace(this.bytes[this.at]!)) this.at++
  }

  /** Takes a symbol if it comes next. */
  take(symbol: string): boolean {
    if (!this.startsWith(symbol)) return false
    this.at += symbol.length
    return true
  }

  /** Takes an English word if it comes next and ends where an identifier would. */
  takeWord(word: string): boolean {
    if (!this.startsWith(word) || isIdentifierByte(this.peek(word.length))) return false
    this.at += word.length
    return true
  }

  /** Like `take`, but fails as the public engine does. */
  expect(symbol: string): void {
    if (!this.take(symbol)) this.failRest('expected-symbol', `expected literal "${symbol}"`)
  }

  /** Takes bytes while `accept` returns true, up to `max`. */
  takeWhile(accept: (byte: string) => boolean, max = Number.POSITIVE_INFINITY): string {
    const start = this.at
    while (this.at < this.end && this.at - start < max && accept(this.bytes[this.at]!)) this.at++
    return this.bytes.slice(start, this.at)
  }

  /** A dotted name: `http.request.uri`. */
  identifier(): string {
    const start = this.at
    do {
      if (this.takeWhile(isIdentifierByte) === '')
        this.failRest('expected-identifier', 'expected identifier character')
    } while (this.take('.'))
    return this.bytes.slice(start, this.at)
  }

  /** The dotted name that comes next; empty if there is none. Takes nothing. */
  peekIdentifier(): string {
    let end = this.at
    while (end < this.end && isIdentifierByte(this.bytes[end]!)) {
      end++
      if (this.bytes[end] === '.' && isIdentifierByte(this.bytes[end + 1] ?? '')) end++
    }
    return this.bytes.slice(this.at, Math.min(end, this.end))
  }

  fail(code: string, message: string, span: Span, hint?: string): never {
    throw new ExpressionFault(code, message, span, hint)
  }

  /** Fails with everything unread underlined. */
  failRest(code: string, message: string, hint?: string): never {
    this.fail(code, message, { start: this.at, end: this.end }, hint)
  }
}

export function isSpace(byte: string): boolean {
  return byte === ' ' || byte === '\r' || byte === '\n'
}

export function isIdentifierByte(byte: string): boolean {
  return (
    (byte >= 'a' && byte <= 'z') ||
    (byte >= '0' && byte <= '9') ||
    (byte >= 'A' && byte <= 'Z') ||
    byte === '_'
  )
}

export function isDigit(byte: string): boolean {
  return byte >= '0' && byte <= '9'
}

export function isHexDigit(byte: string): boolean {
  return isDigit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F')
}
