/** Position and reason of a JSON error. */
export interface JsonFault {
  /** A short description of the error. */
  readonly reason: string
  /** From 1. */
  readonly line: number
  /** From 1, in characters. */
  readonly column: number
}

/**
 * Finds the first error in a text that `JSON.parse` refused; its messages do not always have the position.
 * One pass over the tokens.
 */
export function findJsonFault(text: string): JsonFault {
  const scanner = new Scanner(text)
  const reason = scanner.scan()
  return { reason, ...positionOf(text, scanner.at) }
}

/** How deep objects and arrays lie inside each other, stopping once it is more than `limit`. One pass. */
export function jsonIsDeeperThan(text: string, limit: number): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === QUOTE) i = endOfString(text, i)
    else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
      if (++depth > limit) return true
    } else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) depth--
  }
  return false
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

/** Index of the closing quote, or the end of the text. */
function endOfString(text: string, open: number): number {
  for (let i = open + 1; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === BACKSLASH) i++
    else if (unit === QUOTE) return i
  }
  return text.length
}

function positionOf(text: string, at: number): { line: number; column: number } {
  let line = 1
  let start = 0
  for (let i = text.indexOf('\n'); i !== -1 && i < at; i = text.indexOf('\n', start)) {
    line++
    start = i + 1
  }
  return { line, column: at - start + 1 }
}

const space = /[ \t\n\r]*/y
const stringToken = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const scalarToken = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y

type Wanted = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or }' | ', or ]' | 'end'

class Scanner {
  at = 0
  readonly #text: string
  readonly #open: ('{' | '[')[] = []
  #wanted: Wanted = 'value'

  constructor(text: string) {
    this.#text = text
  }

  /** Moves to the error and describes it. */
  scan(): string {
    for (;;) {
      this.#take(space)
      const next = this.#text[this.at]
      if (next === undefined)
        return this.#wanted === 'end' ? 'not valid' : `it ends where ${this.#want()} should be`
      if (!this.#step(next)) return this.#complaint(next)
    }
  }

  #step(next: string): boolean {
    switch (this.#wanted) {
      case 'value':
        return this.#value(next)
      case 'value or ]':
        return next === ']' ? this.#close() : this.#value(next)
      case 'name':
        return this.#name()
      case 'name or }':
        return next === '}' ? this.#close() : this.#name()
      case ':':
        return next === ':' && this.#punctuation('value')
      case ', or }':
        return next === '}' ? this.#close() : next === ',' && this.#punctuation('name')
      case ', or ]':
        return next === ']' ? this.#close() : next === ',' && this.#punctuation('value')
      case 'end':
        return false
    }
  }

  #value(next: string): boolean {
    if (next === '{' || next === '[') {
      this.#open.push(next)
      return this.#punctuation(next === '{' ? 'name or }' : 'value or ]')
    }
    if (!this.#take(next === '"' ? stringToken : scalarToken)) return false
    this.#afterValue()
    return true
  }

  #name(): boolean {
    if (!this.#take(stringToken)) return false
    this.#wanted = ':'
    return true
  }

  #close(): boolean {
    this.at++
    this.#open.pop()
    this.#afterValue()
    return true
  }

  #punctuation(wanted: Wanted): boolean {
    this.at++
    this.#wanted = wanted
    return true
  }

  #afterValue(): void {
    const container = this.#open.at(-1)
    this.#wanted = container === undefined ? 'end' : container === '{' ? ', or }' : ', or ]'
  }

  /** Moves past a match of the pattern at this position. */
  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.at
    if (!pattern.test(this.#text)) return false
    this.at = pattern.lastIndex
    return true
  }

  #complaint(next: string): string {
    if (next === '"' && this.#wanted !== 'end') return 'a string is not closed or has an invalid escape'
    if (this.#wanted === 'end') return `unexpected '${next}' after the end`
    return `unexpected '${next}' where ${this.#want()} should be`
  }

  #want(): string {
    const names: Record<Wanted, string> = {
      value: 'a value',
      'value or ]': "a value or ']'",
      name: 'a name in quotes',
      'name or }': "a name in quotes or '}'",
      ':': "':'",
      ', or }': "',' or '}'",
      ', or ]': "',' or ']'",
      end: 'the end',
    }
    return names[this.#wanted]
  }
}
