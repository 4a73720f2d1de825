import { wafLimits } from '../../limits.ts'
import type { Argument, BodyOptions, BodyReader, ParsedArguments } from '../body.ts'
import { bytesOfPart, findClass, isBlankByte, noBytes, pieceOfPart } from '../part-bytes.ts'
import { JsonPath } from './path.ts'
import { isNumberByte, numberEnd, unescapeJson } from './text.ts'

/**
 * Reads the scalars of a JSON document (RFC 8259) as arguments, in one pass without recursion.
 *
 * Names are paths of keys as in ModSecurity v2: keys joined by dots. An element of an array repeats the name of the
 * array's key (`{"b":{"c":[1]}}` → `b.c.c`). An array at the top is called `array` (`[1,[3]]` → `array.array`,
 * `array.array.array`), a scalar at the top has no name. Values with the same path share one string object as their
 * name. Numbers keep their text, null is empty; empty objects and arrays give nothing. A body of white space gives
 * nothing and is no error. A leading byte order mark is skipped.
 */
export function jsonReader(options: BodyOptions = {}): BodyReader<ParsedArguments> {
  return new JsonReader(
    options.argumentsMax ?? wafLimits.argumentsMax,
    options.jsonDepthMax ?? wafLimits.jsonDepthMax,
  )
}

/** Reading methods take an offset in the part and return the offset where reading continues. */
class JsonReader implements BodyReader<ParsedArguments> {
  readonly #args: Argument[] = []
  readonly #argumentsMax: number
  /** Bytes of all names and values so far: names are inspected, too, and repeat text that occurs once in the body. */
  #nameBytes = 0
  readonly #depthMax: number
  #state = AT_DOCUMENT
  #part = ''
  #bytes = noBytes
  /** Bytes of the parts before this one. */
  #before = 0
  #fault: { readonly what: string; readonly position: number } | undefined
  /** The path of the next value; after a value, its path. */
  #path = JsonPath.root()
  /** The open objects and arrays: their paths, and which of them are arrays. */
  readonly #containers: JsonPath[] = []
  readonly #areArrays: boolean[] = []
  /** The beginning of an unfinished text or number. Nothing reads it before the end, so that it is flattened once. */
  #held = ''
  /**
   * For a text: whether it is a key, whether it holds a backslash, whether an escape began with the last byte of the
   * part.
   */
  #isKey = false
  #escaped = false
  #escapeCut = false
  /** The previous key of the same object. */
  #keyBefore: JsonPath | undefined
  /** The word that is being read, and the number of its letters so far. */
  #word = ''
  #letters = 0

  constructor(argumentsMax: number, depthMax: number) {
    this.#argumentsMax = argumentsMax
    this.#depthMax = depthMax
  }

  write(part: string): void {
    const bytes = bytesOfPart(part)
    this.#part = part
    this.#bytes = bytes
    for (let at = 0; at < part.length; ) {
      if (this.#state >= IN_TEXT) at = this.#goOn(at)
      else {
        while (isBlankByte[bytes[at]!] === 1) at++
        if (at < part.length) at = this.#next(at, bytes[at]!)
      }
    }
    this.#before += part.length
  }

  end(complete: boolean): ParsedArguments {
    this.#endToken()
    if (this.#state < IN_TEXT && this.#state !== AT_DOCUMENT && this.#state !== AT_END)
      this.#fail(faults[this.#state]!, this.#before)
    const args = this.#args
    const fault = this.#fault
    // Words and escapes are short: an error this near the end of a cut body may be caused by the cut.
    if (fault === undefined || (!complete && fault.position + CUT_BYTES >= this.#before)) return { args }
    return { args, error: `JSON: ${fault.what} (byte ${fault.position})` }
  }

  /** Continues a token of an earlier part, or skips the rest of a broken body. */
  #goOn(at: number): number {
    if (this.#state === IN_TEXT) return this.#text(at)
    if (this.#state === IN_NUMBER) return this.#number(at)
    return this.#state === IN_WORD ? this.#letter(at) : this.#part.length
  }

  /** @param code the byte at `at`, no blank */
  #next(at: number, code: number): number {
    switch (this.#state) {
      case AT_NEXT:
        return this.#afterValue(at, code)
      case AT_KEY:
        return code === 0x22 ? this.#openKey(at, this.#path) : this.#stop(at)
      case AT_FIRST_KEY:
        if (code === 0x7d) return this.#leave(at)
        return code === 0x22 ? this.#openKey(at, undefined) : this.#stop(at)
      case AT_COLON:
        if (code !== 0x3a) return this.#stop(at)
        this.#state = AT_VALUE
        return at + 1
      case AT_FIRST_ELEMENT:
        return code === 0x5d ? this.#leave(at) : this.#value(at, code)
      case AT_END:
        return this.#stop(at)
      default:
        return this.#value(at, code)
    }
  }

  #value(at: number, code: number): number {
    switch (code) {
      case 0x22:
        return this.#openText(at, false)
      case 0x7b:
        return this.#enter(at, false)
      case 0x5b:
        return this.#enter(at, true)
      case 0x74:
        return this.#openWord(at, 'true')
      case 0x66:
        return this.#openWord(at, 'false')
      case 0x6e:
        return this.#openWord(at, 'null')
      case 0xef:
        return this.#before + at === 0 ? this.#openWord(at, MARK) : this.#stop(at)
      default:
        this.#state = IN_NUMBER
        return this.#number(at)
    }
  }

  /** A comma, or the end of the object or array. */
  #afterValue(at: number, code: number): number {
    const last = this.#containers.length - 1
    const isArray = this.#areArrays[last]!
    if (code === (isArray ? 0x5d : 0x7d)) return this.#leave(at)
    if (code !== 0x2c) return this.#stop(at)
    if (isArray) this.#path = this.#containers[last]!.element
    this.#state = isArray ? AT_VALUE : AT_KEY
    return at + 1
  }

  #enter(at: number, isArray: boolean): number {
    const depth = this.#containers.length
    if (depth === this.#depthMax)
      return this.#stop(at, `more than ${depth} objects and arrays inside one another`)
    const path = depth === 0 && isArray ? this.#path.child('array') : this.#path
    if (path.length > wafLimits.jsonNameBytesMax) return this.#stop(at, NAME_TOO_LONG)
    this.#containers.push(path)
    this.#areArrays.push(isArray)
    if (isArray) this.#path = path.element
    this.#state = isArray ? AT_FIRST_ELEMENT : AT_FIRST_KEY
    return at + 1
  }

  #leave(at: number): number {
    this.#path = this.#containers.pop()!
    this.#areArrays.pop()
    this.#state = this.#containers.length === 0 ? AT_END : AT_NEXT
    return at + 1
  }

  /** Objects in a list mostly have the same keys in the same order: then the key needs neither a copy nor a look-up. */
  #openKey(at: number, before: JsonPath | undefined): number {
    const guess = before === undefined ? this.#containers[this.#containers.length - 1]!.first : before.next
    const end = guess === undefined ? -1 : this.#keyEnd(at + 1, guess.key)
    if (end < 0) {
      this.#keyBefore = before
      return this.#openText(at, true)
    }
    this.#path = guess!
    this.#state = AT_COLON
    return end
  }

  /** Offset after the quote that closes `key`, -1 if another key is there. */
  #keyEnd(start: number, key: string): number {
    const { length } = key
    const bytes = this.#bytes
    if (start + length >= this.#part.length || bytes[start + length] !== 0x22) return -1
    for (let i = 0; i < length; i++) if (bytes[start + i] !== key.charCodeAt(i)) return -1
    return start + length + 1
  }

  #openText(at: number, isKey: boolean): number {
    this.#state = IN_TEXT
    this.#isKey = isKey
    this.#escaped = false
    return this.#text(at + 1)
  }

  /** Searches the closing quote; escapes are resolved once it is found. */
  #text(start: number): number {
    const bytes = this.#bytes
    const { length } = this.#part
    let i = this.#escapeCut ? start + 1 : start
    this.#escapeCut = false
    while (i <= length) {
      i = findClass(bytes, i, stopsText)
      if (bytes[i] !== 0x5c) break
      this.#escaped = true
      i += 2
    }
    if (i >= length) {
      this.#escapeCut = i > length
      this.#held += this.#part.slice(start)
      return length
    }
    const raw = this.#take(start, i)
    if (bytes[i] !== 0x22) this.#endText(raw, this.#before + i, 'a string holds a control character')
    else if (this.#escaped) this.#endText(raw, this.#before + i, undefined)
    else this.#addText(raw, this.#before + i + 1)
    return i + 1
  }

  /**
   * @param raw escapes unresolved
   * @param end of `raw`
   */
  #endText(raw: string, end: number, fault: string | undefined): void {
    const { text, wrongAt } = unescapeJson(raw)
    const wrong = wrongAt < 0 ? fault : 'a string holds a wrong escape'
    const position = wrongAt < 0 ? end : end - raw.length + wrongAt
    if (wrong === undefined) this.#addText(text, end + 1)
    else {
      if (!this.#isKey) this.#add(text, position)
      this.#fail(wrong, position)
    }
  }

  /** @param position after the closing quote */
  #addText(text: string, position: number): void {
    if (this.#isKey) this.#addKey(text, position)
    else this.#add(text, position)
  }

  #addKey(key: string, position: number): void {
    const container = this.#containers[this.#containers.length - 1]!
    if (container.length + key.length > wafLimits.jsonNameBytesMax) this.#fail(NAME_TOO_LONG, position)
    else {
      this.#path = container.child(key)
      this.#state = AT_COLON
      if (this.#escaped) return
      if (this.#keyBefore === undefined) container.first = this.#path
      else this.#keyBefore.next = this.#path
    }
  }

  #number(start: number): number {
    const bytes = this.#bytes
    let i = start
    while (isNumberByte(bytes[i]!)) i++
    if (i === this.#part.length) this.#held += this.#part.slice(start)
    else this.#endNumber(this.#take(start, i), this.#before + i)
    return i
  }

  /**
   * @param run all bytes that may belong to a number; an error may follow a valid one
   * @param position after them
   */
  #endNumber(run: string, position: number): void {
    const length = numberEnd(run)
    if (length < 0) this.#fail(NO_VALUE, position)
    else if (length === run.length) this.#add(run, position)
    else {
      const end = position - run.length + length
      this.#add(run.slice(0, length), end)
      this.#fail(faults[this.#state]!, end)
    }
  }

  #openWord(at: number, word: string): number {
    this.#state = IN_WORD
    this.#word = word
    this.#letters = 0
    return this.#letter(at)
  }

  #letter(start: number): number {
    const word = this.#word
    let i = start
    for (; this.#letters < word.length && i < this.#part.length; i++) {
      if (this.#bytes[i] !== word.charCodeAt(this.#letters)) return this.#stop(i - this.#letters, NO_VALUE)
      this.#letters++
    }
    if (this.#letters < word.length) return i
    if (word === MARK) this.#state = AT_DOCUMENT
    else this.#add(word === 'null' ? '' : word, this.#before + i)
    return i
  }

  #add(value: string, position: number): void {
    if (this.#args.length === this.#argumentsMax) {
      this.#fail(`more than ${this.#argumentsMax} arguments`, position)
    } else if (this.#nameBytes + this.#path.length > wafLimits.jsonNamesBytesMax) {
      this.#fail(`names are longer than ${wafLimits.jsonNamesBytesMax} bytes together`, position)
    } else {
      this.#nameBytes += this.#path.length
      this.#args.push({ name: this.#path.name, value })
      this.#state = this.#containers.length === 0 ? AT_END : AT_NEXT
    }
  }

  /** Ends the body, and the unfinished token. */
  #endToken(): void {
    if (this.#state === IN_TEXT) this.#endText(this.#held, this.#before, 'a string is not closed')
    else if (this.#state === IN_NUMBER) this.#endNumber(this.#held, this.#before)
    else if (this.#state === IN_WORD) this.#fail(NO_VALUE, this.#before - this.#letters)
  }

  /** A piece of the part, after the token's beginning in earlier parts. */
  #take(start: number, end: number): string {
    const piece = pieceOfPart(this.#part, this.#bytes, start, end)
    if (this.#held === '') return piece
    const whole = this.#held + piece
    this.#held = ''
    return whole
  }

  #stop(at: number, what: string = faults[this.#state]!): number {
    this.#fail(what, this.#before + at)
    return this.#part.length
  }

  /** The first fault counts, and ends the reading. */
  #fail(what: string, position: number): void {
    this.#fault ??= { what, position }
    this.#state = FAILED
  }
}

/** The role of the next byte that is not blank. AT_NEXT: a comma or the end of the object or array. */
const AT_DOCUMENT = 0
const AT_VALUE = 1
const AT_FIRST_ELEMENT = 2
const AT_KEY = 3
const AT_FIRST_KEY = 4
const AT_COLON = 5
const AT_NEXT = 6
const AT_END = 7
const IN_TEXT = 8
const IN_NUMBER = 9
const IN_WORD = 10
const FAILED = 11

const NO_VALUE = 'a value is expected'
const NO_KEY = 'a key in double quotes is expected'
const NAME_TOO_LONG = `a name is longer than ${wafLimits.jsonNameBytesMax} bytes`
/** The error for any other byte, by state. */
const faults: readonly string[] = [
  NO_VALUE,
  NO_VALUE,
  NO_VALUE,
  NO_KEY,
  NO_KEY,
  'a colon is expected',
  'a comma or the end of an object or array is expected',
  'text follows the document',
]

const CUT_BYTES = 12
const MARK = '\xef\xbb\xbf'

/** Bytes that end the fast path through a text: its end, an escape, control characters. */
const stopsText = new Uint8Array(256).fill(1, 0, 0x20)
stopsText[0x22] = 1
stopsText[0x5c] = 1
