import type { RegexError } from './matcher.ts'

/** Thrown inside the parser only; `parsePattern` turns it into a value. */
export class PatternFault extends Error {
  readonly error: RegexError
  constructor(error: RegexError) {
    super(error.message)
    this.error = error
  }
}

/** A cursor over the pattern's bytes. */
export class PatternReader {
  readonly #text: string
  offset = 0

  constructor(text: string) {
    this.#text = text
  }

  atEnd(): boolean {
    return this.offset >= this.#text.length
  }

  /** The next byte as a one-character text; empty at the end. */
  peek(): string {
    return this.#text.charAt(this.offset)
  }

  next(): string {
    return this.#text.charAt(this.offset++)
  }

  skip(count: number): void {
    this.offset += count
  }

  take(text: string): boolean {
    if (!this.#text.startsWith(text, this.offset)) return false
    this.offset += text.length
    return true
  }

  rest(length: number): string {
    return this.#text.slice(this.offset, this.offset + length)
  }

  /** What stands before `mark`, which is skipped too; everything when it does not occur. */
  until(mark: string): string {
    const at = this.#text.indexOf(mark, this.offset)
    const end = at < 0 ? this.#text.length : at
    const text = this.#text.slice(this.offset, end)
    this.offset = at < 0 ? end : end + mark.length
    return text
  }

  fault(code: RegexError['code'], message: string): PatternFault {
    return this.faultAt(this.offset, 1, code, message)
  }

  faultAt(offset: number, length: number, code: RegexError['code'], message: string): PatternFault {
    return new PatternFault({ code, message, offset, length })
  }
}
