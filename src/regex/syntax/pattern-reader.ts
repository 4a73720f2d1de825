import type { RegexError } from '../matcher.ts'

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

  startsWith(text: string, offset: number): boolean {
    return this.#text.startsWith(text, offset)
  }

  /** The text read since an offset. */
  since(offset: number): string {
    return this.#text.slice(offset, this.offset)
  }

  rest(length: number): string {
    return this.#text.slice(this.offset, this.offset + length)
  }

  /** The text before `mark`, which is skipped too; undefined, and nothing skipped, if the mark does not occur. */
  until(mark: string): string | undefined {
    const at = this.#text.indexOf(mark, this.offset)
    if (at < 0) return undefined
    const text = this.#text.slice(this.offset, at)
    this.offset = at + mark.length
    return text
  }

  /** Everything that is left. */
  remainder(): string {
    const text = this.#text.slice(this.offset)
    this.offset = this.#text.length
    return text
  }

  /** Skips white space, and comments from # to the end of their line, as `(?x)` ignores them. */
  skipBlanksAndComments(): void {
    for (;;) {
      const char = this.peek()
      if (char !== '' && ' \t\n\r\f\v'.includes(char)) this.skip(1)
      else if (char === '#') this.until('\n') ?? this.remainder()
      else return
    }
  }

  fault(code: RegexError['code'], message: string): PatternFault {
    return this.faultAt(this.offset, 1, code, message)
  }

  faultAt(offset: number, length: number, code: RegexError['code'], message: string): PatternFault {
    const inText = Math.max(1, Math.min(length, this.#text.length - offset))
    return new PatternFault({ code, message, offset, length: inText })
  }
}
