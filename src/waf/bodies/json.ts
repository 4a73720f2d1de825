import { isDigit } from '../../kit/ascii.ts'
import { wafLimits } from '../../kit/limits.ts'
import type { Argument, BodyOptions, ParsedArguments } from './body.ts'
import { numberEnd, readJsonText } from './json-text.ts'

/**
 * Scalars of a JSON document (RFC 8259) as arguments, in one pass without recursion.
 *
 * Names are paths of keys as ModSecurity v2 makes them: keys joined by dots; an element of an array repeats the name of
 * the array's key (`{"b":{"c":[1]}}` → `b.c.c`), an array at the top is called `array` (`[1,[3]]` → `array.array`,
 * `array.array.array`), a scalar at the top has no name. Numbers keep their text, null is empty; empty objects and arrays
 * give nothing. A body of white space gives nothing and is no error. A leading byte order mark is skipped.
 */
export function parseJson(json: string, options: BodyOptions = {}): ParsedArguments {
  const reader = new JsonReader(json, options)
  reader.read()
  return reader.error === undefined ? { args: reader.args } : { args: reader.args, error: reader.error }
}

/** An object or array that is still open. */
interface Container {
  readonly isArray: boolean
  /** What the name of every value inside begins with; undefined in an object at the top. */
  readonly prefix: string | undefined
  /** Key that the next value stands under. */
  key: string
}

class JsonReader {
  readonly args: Argument[] = []
  error: string | undefined
  readonly #json: string
  readonly #complete: boolean
  readonly #argumentsMax: number
  readonly #depthMax: number
  readonly #open: Container[] = []
  #at = 0

  constructor(json: string, options: BodyOptions) {
    this.#json = json
    this.#complete = options.complete ?? true
    this.#argumentsMax = options.argumentsMax ?? wafLimits.argumentsMax
    this.#depthMax = options.jsonDepthMax ?? wafLimits.jsonDepthMax
  }

  read(): void {
    if (this.#json.startsWith('\xef\xbb\xbf')) this.#at = 3
    this.#skipBlanks()
    if (this.#at === this.#json.length) return
    let more = this.#value()
    while (more && this.#open.length > 0) more = this.#afterValue(this.#open[this.#open.length - 1]!)
    if (!more) return
    this.#skipBlanks()
    if (this.#at < this.#json.length) this.#fail('text follows the document')
  }

  /** One value, or the opening of a container with its first value. */
  #value(): boolean {
    for (;;) {
      this.#skipBlanks()
      const code = this.#json.charCodeAt(this.#at)
      if (code !== 0x7b && code !== 0x5b) return this.#scalar(code)
      const container = this.#enter(code === 0x5b)
      if (container === undefined) return false
      this.#skipBlanks()
      if (this.#json.charCodeAt(this.#at) === (container.isArray ? 0x5d : 0x7d)) return this.#leave()
      if (!container.isArray && !this.#key(container)) return false
    }
  }

  /** A comma with what must follow it, or the end of the container. */
  #afterValue(container: Container): boolean {
    this.#skipBlanks()
    const code = this.#json.charCodeAt(this.#at)
    if (code === (container.isArray ? 0x5d : 0x7d)) return this.#leave()
    if (code !== 0x2c) return this.#fail('a comma or the end of an object or array is expected')
    this.#at++
    this.#skipBlanks()
    return (container.isArray || this.#key(container)) && this.#value()
  }

  #key(container: Container): boolean {
    if (this.#json.charCodeAt(this.#at) !== 0x22) return this.#fail('a key in double quotes is expected')
    const key = readJsonText(this.#json, this.#at + 1)
    this.#at = key.end
    if (key.error !== undefined) return this.#fail(key.error)
    if ((container.prefix?.length ?? 0) + key.text.length > wafLimits.jsonNameBytesMax) {
      return this.#fail(`a name is longer than ${wafLimits.jsonNameBytesMax} bytes`)
    }
    container.key = key.text
    this.#skipBlanks()
    if (this.#json.charCodeAt(this.#at) !== 0x3a) return this.#fail('a colon is expected')
    this.#at++
    return true
  }

  #enter(isArray: boolean): Container | undefined {
    if (this.#open.length === this.#depthMax) {
      this.#fail(`more than ${this.#depthMax} objects and arrays inside one another`)
      return undefined
    }
    const parent = this.#open[this.#open.length - 1]
    const atTop = parent === undefined
    const prefix = atTop ? (isArray ? 'array' : undefined) : nameIn(parent)
    if (prefix !== undefined && prefix.length > wafLimits.jsonNameBytesMax) {
      this.#fail(`a name is longer than ${wafLimits.jsonNameBytesMax} bytes`)
      return undefined
    }
    const container = { isArray, prefix, key: atTop ? 'array' : parent.key }
    this.#open.push(container)
    this.#at++
    return container
  }

  #leave(): boolean {
    this.#open.pop()
    this.#at++
    return true
  }

  #scalar(code: number): boolean {
    if (code === 0x22) {
      const string = readJsonText(this.#json, this.#at + 1)
      this.#at = string.end
      return this.#add(string.text) && (string.error === undefined || this.#fail(string.error))
    }
    for (const [word, text] of words) {
      if (!this.#json.startsWith(word, this.#at)) continue
      this.#at += word.length
      return this.#add(text)
    }
    const end = numberEnd(this.#json, this.#at)
    if (end < 0) {
      while (isNumberByte(this.#json.charCodeAt(this.#at))) this.#at++
      return this.#fail('a value is expected')
    }
    const number = this.#json.slice(this.#at, end)
    this.#at = end
    return this.#add(number)
  }

  #add(value: string): boolean {
    if (this.args.length === this.#argumentsMax)
      return this.#fail(`more than ${this.#argumentsMax} arguments`)
    const container = this.#open[this.#open.length - 1]
    this.args.push({ name: container === undefined ? '' : nameIn(container), value })
    return true
  }

  /** An end that comes too soon is no error when the body was cut. */
  #fail(what: string): false {
    const cut = !this.#complete && isCut(this.#json, this.#at)
    if (!cut) this.error = `JSON: ${what} (byte ${this.#at})`
    return false
  }

  #skipBlanks(): void {
    for (;;) {
      const code = this.#json.charCodeAt(this.#at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.#at++
    }
  }
}

function nameIn(container: Container): string {
  return container.prefix === undefined ? container.key : `${container.prefix}.${container.key}`
}

function isNumberByte(code: number): boolean {
  return isDigit(code) || code === 0x2b || code === 0x2d || code === 0x2e || (code | 0x20) === 0x65
}

/** Words and escapes are short: what goes wrong this near the end may be the cut's doing. */
function isCut(json: string, at: number): boolean {
  return at + CUT_BYTES >= json.length
}

const CUT_BYTES = 12
const words = [
  ['true', 'true'],
  ['false', 'false'],
  ['null', ''],
] as const
