import { isAlphanumeric } from '../../../kit/ascii.ts'
import { isScriptAddress, isScriptStyle, namesPageNamespace, namesScript } from './address.ts'
import { isRunningMarkup } from './markup.ts'
import { attributeKind, type TagKind, tagKind } from './names.ts'

/** Where in a page the value may begin: as text, or in an attribute value without quotes or with any of the three. */
export type Context = 'data' | 'unquoted' | '"' | "'" | '`'

const SLASH = 0x2f
const EQUALS = 0x3d
const GREATER = 0x3e
/** No name that matters is longer. */
const nameBytesMax = 60
const markupBytesMax = 4096

/** Where readings of the value before were in the same state, and found nothing behind it: bits of `seen`. */
const seenTag = 1
const seenAttribute = 2
let seen = new Uint8Array(4096)

/**
 * Reads a value as the HTML standard's tokenizer would, leniently: control characters count as white space and what the
 * value leaves open counts as closed, for the page goes on behind it. A reading that comes to where another one was ends
 * there, so that all contexts together cost little more than one. Nothing is copied but values that need a closer look.
 * One object reads value after value: to make one costs more than most values do.
 */
export class HtmlReader {
  #value = ''
  #at = 0

  begin(value: string): void {
    this.#value = value
    if (seen.length < value.length) seen = new Uint8Array(value.length * 2)
    else seen.fill(0, 0, value.length)
  }

  /** Does the value run script where it lands in `context`? */
  runsScript(context: Context): boolean {
    this.#at = 0
    if (context !== 'data') {
      this.#leaveAttribute(context)
      if (this.#attributes(null)) return true
    }
    return this.#data()
  }

  #leaveAttribute(context: Context): void {
    if (context === 'unquoted') {
      this.#at = this.#unquotedEnd(0)
      return
    }
    const quote = this.#value.indexOf(context)
    this.#at = quote < 0 ? this.#value.length : quote + 1
  }

  #data(): boolean {
    const value = this.#value
    for (;;) {
      const less = value.indexOf('<', this.#at)
      if (less < 0 || this.#wasAt(less, seenTag)) return false
      this.#at = less + 1
      if (this.#at >= value.length) return false
      const code = value.charCodeAt(less + 1)
      if (code === 0x21 || code === 0x3f) {
        if (this.#markup()) return true
      } else if (code === SLASH) {
        // Attributes of an end tag do nothing, but their quotes hide `>`.
        if (isLetter(value.charCodeAt(less + 2))) this.#skipEndTag(less + 2)
      } else if (isLetter(code)) {
        const kind = this.#tagName()
        if (kind === 'running' || this.#attributes(kind)) return true
      }
    }
  }

  /** Notes that a reading is in a state at a place; true when one was before. */
  #wasAt(at: number, state: number): boolean {
    const states = seen[at]!
    seen[at] = states | state
    return (states & state) !== 0
  }

  #skipEndTag(name: number): void {
    this.#at = this.#nameEnd(name)
    this.#eachAttribute('plain', false)
  }

  #tagName(): TagKind {
    const start = this.#at
    this.#at = this.#nameEnd(start)
    return this.#at - start > nameBytesMax ? 'plain' : tagKind(this.#value, start, this.#at)
  }

  #nameEnd(start: number): number {
    const value = this.#value
    let at = start
    for (; at < value.length; at++) {
      const code = value.charCodeAt(at)
      if (code <= 0x20 || code === SLASH || code === GREATER) break
    }
    return at
  }

  /** Comments, CDATA, declarations and processing instructions. */
  #markup(): boolean {
    const value = this.#value
    const start = this.#at
    const isComment = value.startsWith('!--', start)
    const end = isComment ? commentEnd(value, start + 3) : indexOrEnd(value, '>', start)
    this.#at = isComment ? commentNext(value, end) : end + 1
    return isRunningMarkup(value, start, Math.min(end, start + markupBytesMax))
  }

  #attributes(tag: TagKind | null): boolean {
    return this.#eachAttribute(tag, true)
  }

  /** @param tag null where the page opened it @param judged false where attributes do nothing */
  #eachAttribute(tag: TagKind | null, judged: boolean): boolean {
    const value = this.#value
    while (this.#at < value.length) {
      const start = this.#at
      const code = value.charCodeAt(start)
      if (code <= 0x20 || code === SLASH) {
        this.#at++
        continue
      }
      if (code === GREATER) {
        this.#at++
        return false
      }
      if (tag === null && this.#wasAt(start, seenAttribute)) {
        this.#at = value.length
        return false
      }
      const end = this.#attributeNameEnd(start)
      if (this.#attributeValue(end, start, tag, judged)) return true
    }
    return false
  }

  #attributeNameEnd(start: number): number {
    const value = this.#value
    // A `=` at the front belongs to the name.
    let at = start + 1
    for (; at < value.length; at++) {
      const code = value.charCodeAt(at)
      if (code <= 0x20 || code === SLASH || code === GREATER || code === EQUALS) break
    }
    return at
  }

  /** Goes behind the attribute whose name stands from `name` to `nameEnd`; true when it runs script. */
  #attributeValue(nameEnd: number, name: number, tag: TagKind | null, judged: boolean): boolean {
    const value = this.#value
    const equals = this.#blanksEnd(nameEnd)
    this.#at = equals
    if (equals >= value.length || value.charCodeAt(equals) !== EQUALS) return false
    let start = this.#blanksEnd(equals + 1)
    let end: number
    const quote = start < value.length ? value.charCodeAt(start) : 0
    if (quote === 0x22 || quote === 0x27) {
      start++
      end = indexOrEnd(value, quote === 0x22 ? '"' : "'", start)
      this.#at = end + 1
    } else {
      end = this.#unquotedEnd(start)
      this.#at = end
    }
    return judged && (tag === 'loading' || runs(value, tag, name, nameEnd, start, end))
  }

  #unquotedEnd(start: number): number {
    const value = this.#value
    let at = start
    for (; at < value.length; at++) {
      const code = value.charCodeAt(at)
      if (code <= 0x20 || code === GREATER) break
    }
    return at
  }

  #blanksEnd(start: number): number {
    const value = this.#value
    let at = start
    while (at < value.length && value.charCodeAt(at) <= 0x20) at++
    return at
  }
}

/** Whether an attribute with a value runs script; `tag` null where the page opened the tag. */
function runs(
  value: string,
  tag: TagKind | null,
  name: number,
  nameEnd: number,
  start: number,
  end: number,
): boolean {
  if (nameEnd - name > nameBytesMax) return false
  switch (attributeKind(value, name, nameEnd)) {
    case 'running':
      return true
    case 'handler':
      // In a tag of the value's own an unknown handler is still a handler; outside, "one = 1" is arithmetic.
      return tag !== null
    case 'style':
      return isScriptStyle(value.slice(start, end))
    case 'target':
      return namesScript(value.slice(start, end))
    case 'namespace':
      return tag !== null && namesPageNamespace(value.slice(start, end))
    case 'address':
      return isScriptAddress(value, start, end)
    case 'plain':
      return false
  }
}

function isLetter(code: number): boolean {
  return isAlphanumeric(code) && code > 0x39
}

function indexOrEnd(value: string, mark: string, from: number): number {
  const index = value.indexOf(mark, from)
  return index < 0 ? value.length : index
}

/** Where a comment's text ends: at `-->` or `--!>`, and at once with `<!-->` and `<!--->`. */
function commentEnd(value: string, from: number): number {
  if (value.charCodeAt(from) === GREATER || value.startsWith('->', from)) return from
  for (let at = value.indexOf('--', from); at >= 0; at = value.indexOf('--', at + 1)) {
    if (value.charCodeAt(at + 2) === GREATER || value.startsWith('!>', at + 2)) return at
  }
  return value.length
}

/** Behind the end of a comment whose text ends at `end`. */
function commentNext(value: string, end: number): number {
  return indexOrEnd(value, '>', end) + 1
}
