import { logFilterLimits } from './limits.ts'
/**
 * JSON for filters: numbers keep every digit, a repeated key is a mistake, and every mistake has a position. The
 * platform's reader rounds nanoseconds and takes the last of two equal keys.
 * @source RFC 8259
 */
export type JsonValue = JsonScalar | readonly JsonValue[] | ReadonlyMap<string, JsonValue>
export type JsonScalar = string | number | bigint | boolean | null

export type JsonOutcome =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly message: string }

/** Reads the text in one pass. Whole numbers beyond 2^53 become bigints. */
export function readJson(text: string): JsonOutcome {
  return new JsonReader(text).document()
}

/** Marks the absence of a value: the reader has met a mistake and reports no further one. */
const broken = Symbol('broken')
type Read<T> = T | typeof broken

class JsonReader {
  readonly #text: string
  #at = 0
  #depth = 0
  #message = ''

  constructor(text: string) {
    this.#text = text
  }

  document(): JsonOutcome {
    const value = this.#value()
    if (value === broken) return { ok: false, message: this.#message }
    this.#skipBlanks()
    if (this.#at === this.#text.length) return { ok: true, value }
    this.#fail('something follows the end')
    return { ok: false, message: this.#message }
  }

  #value(): Read<JsonValue> {
    this.#skipBlanks()
    switch (this.#text[this.#at]) {
      case '{':
        return this.#nested(() => this.#object())
      case '[':
        return this.#nested(() => this.#array())
      case '"':
        return this.#string()
      case 't':
        return this.#word('true', true)
      case 'f':
        return this.#word('false', false)
      case 'n':
        return this.#word('null', null)
      default:
        return this.#number()
    }
  }

  #nested<T>(read: () => Read<T>): Read<T> {
    if (this.#depth === logFilterLimits.filterDepthMax)
      return this.#fail(`it is nested deeper than ${logFilterLimits.filterDepthMax}`)
    this.#depth++
    this.#at++
    const value = read()
    this.#depth--
    return value
  }

  #object(): Read<ReadonlyMap<string, JsonValue>> {
    const members = new Map<string, JsonValue>()
    if (this.#took('}')) return members
    do {
      this.#skipBlanks()
      if (this.#text[this.#at] !== '"') return this.#fail('expected a key in quotes')
      const key = this.#string()
      if (key === broken) return broken
      if (members.has(key)) return this.#fail(`the key ${JSON.stringify(key)} is repeated`)
      if (!this.#took(':')) return this.#fail('expected a colon')
      const value = this.#value()
      if (value === broken) return broken
      members.set(key, value)
    } while (this.#took(','))
    return this.#took('}') ? members : this.#fail('expected "," or "}"')
  }

  #array(): Read<readonly JsonValue[]> {
    const elements: JsonValue[] = []
    if (this.#took(']')) return elements
    do {
      const value = this.#value()
      if (value === broken) return broken
      elements.push(value)
    } while (this.#took(','))
    return this.#took(']') ? elements : this.#fail('expected "," or "]"')
  }

  /** Finds the end of the text; the platform decodes and checks the part between the quotes. */
  #string(): Read<string> {
    const start = this.#at
    for (let i = start + 1; i < this.#text.length; i++) {
      const character = this.#text[i]
      if (character === '\\') i++
      else if (character === '"') {
        const decoded = decodedString(this.#text.slice(start, i + 1))
        if (decoded === undefined) return this.#fail('a text with a wrong escape or a control character')
        this.#at = i + 1
        return decoded
      }
    }
    return this.#fail('a text without its closing quote')
  }

  #number(): Read<number | bigint> {
    numberShape.lastIndex = this.#at
    const match = numberShape.exec(this.#text)
    if (match === null)
      return this.#fail(this.#at === this.#text.length ? 'it ends too early' : 'expected a value')
    const number = Number(match[0])
    if (!Number.isFinite(number)) return this.#fail('a number that is too large')
    this.#at = numberShape.lastIndex
    const whole = match[1] === undefined && match[2] === undefined
    // Adding 0 turns -0 into 0, which is printed.
    return whole && !Number.isSafeInteger(number) ? BigInt(match[0]) : number + 0
  }

  #word<T>(word: string, value: T): Read<T> {
    if (!this.#text.startsWith(word, this.#at)) return this.#fail('expected a value')
    this.#at += word.length
    return value
  }

  #took(character: string): boolean {
    this.#skipBlanks()
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #skipBlanks(): void {
    for (;;) {
      const character = this.#text[this.#at]
      if (character !== ' ' && character !== '\n' && character !== '\t' && character !== '\r') return
      this.#at++
    }
  }

  #fail(what: string): typeof broken {
    this.#message ||= `${what}, at character ${this.#at + 1}`
    return broken
  }
}

const numberShape = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y

function decodedString(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return undefined
  }
}
