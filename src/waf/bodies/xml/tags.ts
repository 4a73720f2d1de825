import { isAlphanumeric, isDigit } from '../../../kit/ascii.ts'
import { wafLimits } from '../../limits.ts'
import { isBlankByte } from '../part-bytes.ts'
import { resolveReferences } from './references.ts'

/** Results of `read` other than an end. */
export const LACKS_END = -1
export const FAULTY = -2

/** Reads start and end tags: keeps the values of attributes and the names of open elements. */
export class XmlTags {
  readonly attributes: string[] = []
  /** Number of elements so far. */
  elements = 0
  /** A reference in an attribute is not predefined and not numeric. */
  hasWrongReference = false
  /** Why the last tag has no end: the error and its position. */
  fault = ''
  faultAt = 0
  readonly #open: string[] = []
  #text = ''
  #bytes = new Uint8Array(0)
  #length = 0
  #attributesBefore = 0
  #elementsBefore = 0

  /** Elements that are open. */
  get depth(): number {
    return this.#open.length
  }

  /**
   * Reads the tag with its `<` at `start`.
   * @param bytes of the text, with one more readable byte after them
   * @returns offset after the tag; LACKS_END if the text ends in it, which `undo` makes unread; FAULTY
   */
  read(text: string, bytes: Uint8Array<ArrayBuffer>, start: number): number {
    this.#text = text
    this.#bytes = bytes
    this.#length = text.length
    this.#attributesBefore = this.attributes.length
    this.#elementsBefore = this.elements
    return bytes[start + 1] === SLASH ? this.#endTag(start) : this.#startTag(start)
  }

  undo(): void {
    this.attributes.length = this.#attributesBefore
    this.elements = this.#elementsBefore
  }

  #endTag(at: number): number {
    const start = at + 2
    const nameEnd = this.#nameEnd(start)
    const end = this.#blanksEnd(nameEnd)
    if (end >= this.#length) return this.#cut('a tag is not closed', at)
    if (this.#bytes[end] !== GREATER) return this.#fail('a malformed end tag', at)
    const name = this.#open.pop()
    if (name === undefined || name.length !== nameEnd - start || !this.#text.startsWith(name, start))
      return this.#fail('an end tag without its start tag', at)
    return end + 1
  }

  #startTag(at: number): number {
    if (this.depth === 0 && this.elements > 0) return this.#fail('a second root element', at)
    if (this.elements++ === wafLimits.xmlElementsMax) return this.#fail('too many elements', at)
    const nameEnd = this.#nameEnd(at + 1)
    if (nameEnd >= this.#length) return this.#cut('a tag is not closed', at)
    if (nameEnd === at + 1) return this.#fail('a tag without a name', at)
    const end = this.#bytes[nameEnd] === GREATER ? nameEnd : this.#attributesEnd(nameEnd)
    if (end < 0) return end
    if (this.#bytes[end] === SLASH) {
      if (end + 1 === this.#length) return this.#cut('a tag is not closed', end)
      return this.#bytes[end + 1] === GREATER ? end + 2 : this.#fail('a malformed tag', end)
    }
    if (this.depth === wafLimits.xmlDepthMax) return this.#fail('elements too deep inside one another', end)
    this.#open.push(this.#text.slice(at + 1, nameEnd))
    return end + 1
  }

  /** Offset of the `>` or `/` after the attributes. */
  #attributesEnd(start: number): number {
    let names: Set<string> | undefined
    for (let last = start; ; ) {
      const at = this.#blanksEnd(last)
      if (at >= this.#length) return this.#cut('a tag is not closed', last)
      const code = this.#bytes[at]
      if (code === GREATER || code === SLASH) return at
      if (at === last) return this.#fail('a malformed tag', at)
      const nameEnd = this.#nameEnd(at)
      const end = this.#attribute(at, nameEnd)
      if (end < 0) return end
      names ??= new Set()
      const name = this.#text.slice(at, nameEnd)
      if (names.has(name)) return this.#fail('an attribute that is given twice', end)
      names.add(name)
      if (names.size > wafLimits.xmlElementAttributesMax)
        return this.#fail('too many attributes in one element', end)
      last = end
    }
  }

  /** Reads one `name="value"`. */
  #attribute(start: number, nameEnd: number): number {
    const equals = this.#blanksEnd(nameEnd)
    const open = this.#blanksEnd(equals + 1)
    if (nameEnd === start || (equals < this.#length && this.#bytes[equals] !== EQUALS))
      return this.#fail('a malformed attribute', start)
    if (open >= this.#length) return this.#cut('a tag is not closed', start)
    const quote = this.#text[open]!
    if (quote !== '"' && quote !== "'") return this.#fail('an attribute value without quotes', start)
    const close = this.#text.indexOf(quote, open + 1)
    if (close < 0) {
      this.attributes.push(this.#text.slice(open + 1))
      return this.#cut('an attribute value is not closed', start)
    }
    if (this.#isNamespace(start, nameEnd)) return close + 1
    return this.#addValue(this.#text.slice(open + 1, close), close + 1)
  }

  #isNamespace(start: number, nameEnd: number): boolean {
    const rest = nameEnd - start - 'xmlns'.length
    if (rest < 0 || !this.#text.startsWith('xmlns', start)) return false
    return rest === 0 || this.#bytes[nameEnd - rest] === 0x3a
  }

  #addValue(raw: string, end: number): number {
    if (this.attributes.length === wafLimits.xmlAttributesMax) return this.#fail('too many attributes', end)
    if (raw.includes('&')) {
      const { text, wrong } = resolveReferences(raw, false)
      this.attributes.push(text)
      if (wrong) this.hasWrongReference = true
    } else this.attributes.push(raw)
    return raw.includes('<') ? this.#fail('a < in an attribute value', end) : end
  }

  /** A rough Name (production 5): every byte from 0x80 on counts as a letter. Ends at its start if there is none. */
  #nameEnd(start: number): number {
    const first = this.#bytes[start]!
    if (isDigit(first) || first === 0x2d || first === 0x2e) return start
    let i = start
    while (isNameByte[this.#bytes[i]!] === 1) i++
    return i
  }

  #blanksEnd(start: number): number {
    let i = start
    while (isBlankByte[this.#bytes[i]!] === 1) i++
    return i
  }

  #cut(what: string, at: number): number {
    this.fault = what
    this.faultAt = at
    return LACKS_END
  }

  #fail(what: string, at: number): number {
    this.fault = what
    this.faultAt = at
    return FAULTY
  }
}

const SLASH = 0x2f
const EQUALS = 0x3d
const GREATER = 0x3e
const isNameByte = Uint8Array.from({ length: 256 }, (_, code) =>
  isAlphanumeric(code) || code === 0x5f || code === 0x3a || code === 0x2d || code === 0x2e || code > 0x7f
    ? 1
    : 0,
)
