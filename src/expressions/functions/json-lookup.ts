import { hexValue, isDigit } from '../../kit/ascii.ts'
import { bytesOfText } from '../../kit/bytes.ts'
import { expressionLimits } from '../limits.ts'

/** Position of a value in the text of a document. */
export interface JsonSpan {
  readonly start: number
  readonly end: number
}

/**
 * Finds the value at a path of names and indexes. Reads the whole document once, so a document that is invalid anywhere
 * has no values; of repeated names the last counts. O(length), builds nothing.
 * @param json UTF-8 as a byte string
 * @returns undefined if there is no such value, or the document is invalid or too deep
 */
export function findJson(json: string, path: readonly (string | number)[]): JsonSpan | undefined {
  const scanner = new Scanner(json, path)
  return scanner.find()
}

/** The text of a string literal as bytes; a lone surrogate becomes U+FFFD. */
export function jsonString(json: string, { start, end }: JsonSpan): string {
  const body = json.slice(start + 1, end - 1)
  if (!body.includes('\\')) return body
  let value = ''
  let from = 0
  for (let at = body.indexOf('\\'); at >= 0; at = body.indexOf('\\', from)) {
    value += body.slice(from, at)
    const letter = body[at + 1]!
    if (letter !== 'u') {
      value += plainEscapes[letter]!
      from = at + 2
      continue
    }
    const units = unitsAt(body, at)
    value += bytesOfText(units)
    from = at + 6 * units.length
  }
  return value + body.slice(from)
}

/** One code unit, or both of a pair. */
function unitsAt(body: string, at: number): string {
  const first = unitAt(body, at)
  const isHigh = first >= 0xd800 && first <= 0xdbff
  if (!isHigh || !body.startsWith('\\u', at + 6)) return String.fromCharCode(first)
  const second = unitAt(body, at + 6)
  return second >= 0xdc00 && second <= 0xdfff
    ? String.fromCharCode(first, second)
    : String.fromCharCode(first)
}

function unitAt(body: string, at: number): number {
  return Number.parseInt(body.slice(at + 2, at + 6), 16)
}

const plainEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** Not on the path. */
const aside = -1

class Scanner {
  readonly #json: string
  readonly #path: readonly (string | number)[]
  #at = 0
  #depth = 0
  #found: JsonSpan | undefined

  constructor(json: string, path: readonly (string | number)[]) {
    this.#json = json
    this.#path = path
  }

  find(): JsonSpan | undefined {
    if (!this.#value(0)) return undefined
    this.#skipSpace()
    return this.#at === this.#json.length ? this.#found : undefined
  }

  /**
   * Reads one value.
   * @param step number of path steps that lead here, or `aside`
   * @returns false if the document is invalid
   */
  #value(step: number): boolean {
    this.#skipSpace()
    const start = this.#at
    const valid = this.#content(step)
    if (valid && step === this.#path.length) this.#found = { start, end: this.#at }
    return valid
  }

  #content(step: number): boolean {
    switch (this.#json[this.#at]) {
      case '{':
        return this.#nested('}', () => this.#member(step))
      case '[': {
        let index = 0
        return this.#nested(']', () => this.#value(this.#next(step, index++)))
      }
      case '"':
        return this.#string()
      case 't':
        return this.#take('true')
      case 'f':
        return this.#take('false')
      case 'n':
        return this.#take('null')
      default:
        return this.#number()
    }
  }

  /**
   * The step after a name or index, if the path continues with it. An earlier value of the same name no longer counts.
   */
  #next(step: number, key: string | number): number {
    if (step === aside || this.#path[step] !== key) return aside
    this.#found = undefined
    return step + 1
  }

  #nested(close: string, item: () => boolean): boolean {
    if (this.#depth === expressionLimits.jsonDepthMax) return false
    this.#depth++
    this.#at++
    this.#skipSpace()
    if (!this.#take(close)) {
      do if (!item()) return false
      while (this.#takeSpaced(','))
      if (!this.#takeSpaced(close)) return false
    }
    this.#depth--
    return true
  }

  #member(step: number): boolean {
    this.#skipSpace()
    const start = this.#at
    if (this.#json[start] !== '"' || !this.#string()) return false
    const end = this.#at
    if (!this.#takeSpaced(':')) return false
    const isAside = step === aside || step === this.#path.length
    return this.#value(isAside ? aside : this.#next(step, jsonString(this.#json, { start, end })))
  }

  #string(): boolean {
    for (this.#at++; ; ) {
      const code = this.#json.charCodeAt(this.#at++)
      if (code === 0x22) return true
      if (!(code >= 0x20)) return false
      if (code === 0x5c && !this.#escape()) return false
    }
  }

  #escape(): boolean {
    const letter = this.#json[this.#at++] ?? ''
    if (letter !== 'u') return Object.hasOwn(plainEscapes, letter)
    for (let digits = 0; digits < 4; digits++) {
      if (hexValue(this.#json.charCodeAt(this.#at++)) < 0) return false
    }
    return true
  }

  #number(): boolean {
    this.#take('-')
    if (!this.#take('0') && !this.#digits()) return false
    if (this.#take('.') && !this.#digits()) return false
    if (!this.#take('e') && !this.#take('E')) return true
    if (!this.#take('+')) this.#take('-')
    return this.#digits()
  }

  #digits(): boolean {
    const start = this.#at
    while (isDigit(this.#json.charCodeAt(this.#at))) this.#at++
    return this.#at > start
  }

  #take(text: string): boolean {
    if (!this.#json.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #takeSpaced(text: string): boolean {
    this.#skipSpace()
    return this.#take(text)
  }

  #skipSpace(): void {
    for (; ; this.#at++) {
      const code = this.#json.charCodeAt(this.#at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
    }
  }
}
