import { isAlphanumeric } from '../../kit/ascii.ts'
import { standsAt } from '../word-table.ts'
import { isScriptAddress, isScriptStyle, namesScript } from './address.ts'
import { isRunningMarkup } from './markup.ts'
import { attributeKind, type TagKind, tagKind } from './names.ts'

/**
 * The context in a page where the value may begin: as text, at an attribute of a tag, or in an attribute value without
 * quotes or with any of the three.
 */
export type Context = 'data' | 'name' | 'unquoted' | '"' | "'" | '`'

const SLASH = 0x2f
const EQUALS = 0x3d
const GREATER = 0x3e
const LESS = 0x3c
const BACKTICK = 0x60
/** No relevant name is longer. */
const longestNameBytes = 60
const markupBytes = 4096

/** Bits of `seen`: an earlier reading of the value was in this state at the position and found nothing after it. */
const seenTag = 1
const seenAttribute = 2

/**
 * Reads a value as the HTML standard's tokenizer would, leniently. Control characters count as white space. Constructs
 * that the value leaves open count as closed, because the page continues after it. A reading that meets an earlier one
 * in the same state ends there, so all contexts together cost little more than one. Only values that need a closer look
 * are copied. One object reads value after value, because creating it costs more than reading most values.
 */
export class HtmlReader {
  #value = ''
  #at = 0
  /** Position of the next pause. */
  #pauseAt = 0
  /** Whether the position is among the attributes of a tag. */
  #inTag = false
  /** The tag; null for a tag that the page opened. */
  #tag: TagKind | null = null
  /** Whether attributes of the tag have an effect. */
  #judged = true
  #seen = new Uint8Array(4096)

  begin(value: string): void {
    this.#value = value
    if (this.#seen.length < value.length) this.#seen = new Uint8Array(value.length * 2)
    else this.#seen.fill(0, 0, value.length)
  }

  /** Begins in a context. Call `readTo` next. */
  land(context: Context): void {
    this.#at = 0
    this.#inTag = context !== 'data'
    if (context === 'data') return
    this.#enterTag(null, true)
    this.#leaveAttribute(context)
  }

  /**
   * Reads up to a position of the value, or slightly further.
   * @returns whether the value runs script in its context; undefined while that is open
   */
  readTo(position: number): boolean | undefined {
    this.#pauseAt = position
    const value = this.#value
    for (;;) {
      if (this.#inTag) {
        const found = this.#attributes()
        if (found !== false) return found
        this.#inTag = false
      }
      if (this.#at >= position) return undefined
      const less = value.indexOf('<', this.#at)
      if (less < 0 || this.#wasAt(less, seenTag)) return false
      this.#at = less + 1
      if (this.#at >= value.length) return false
      if (this.#runsAt(less)) return true
    }
  }

  #leaveAttribute(context: Context): void {
    if (context === 'name' || context === 'unquoted') {
      this.#at = context === 'name' ? 0 : this.#unquotedEnd(0)
      return
    }
    const quote = this.#value.indexOf(context)
    this.#at = quote < 0 ? this.#value.length : quote + 1
  }

  /** Reads a construct that begins with `<`: a tag up to its attributes, or markup. @returns whether it runs script */
  #runsAt(less: number): boolean {
    const code = this.#value.charCodeAt(less + 1)
    if (code === 0x21 || code === 0x3f) return this.#markup()
    if (code === SLASH) {
      if (!isLetter(this.#value.charCodeAt(less + 2))) return false
      this.#at = less + 2
      const kind = this.#tagName()
      // `</script >` ends an element of the page. Ordinary end tags have no blank.
      if (kind === 'running' && isApart(this.#value.charCodeAt(this.#at))) return true
      // Attributes of an end tag have no effect, but their quotes hide `>`.
      this.#enterTag('plain', false)
    } else if (isLetter(code)) {
      const kind = this.#tagName()
      if (kind === 'running') return true
      this.#enterTag(kind, true)
    }
    return false
  }

  #enterTag(tag: TagKind | null, judged: boolean): void {
    this.#inTag = true
    this.#tag = tag
    this.#judged = judged
  }

  /** Notes that a reading is in a state at a position. @returns true if an earlier reading was */
  #wasAt(at: number, state: number): boolean {
    const states = this.#seen[at]!
    this.#seen[at] = states | state
    return (states & state) !== 0
  }

  #tagName(): TagKind {
    const start = this.#at
    this.#at = this.#nameEnd(start)
    return this.#at - start > longestNameBytes ? 'plain' : tagKind(this.#value, start, this.#at)
  }

  #nameEnd(start: number): number {
    const value = this.#value
    let at = start
    for (; at < value.length; at++) {
      const code = value.charCodeAt(at)
      // Some old browsers begin the next tag at `<`.
      if (code <= 0x20 || code === SLASH || code === GREATER || code === LESS) break
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
    return isRunningMarkup(value, start, Math.min(end, start + markupBytes))
  }

  /** @returns whether an attribute runs script; undefined at a pause */
  #attributes(): boolean | undefined {
    const value = this.#value
    while (this.#at < value.length) {
      const start = this.#at
      if (start >= this.#pauseAt) return undefined
      const code = value.charCodeAt(start)
      if (code <= 0x20 || code === SLASH) {
        this.#at++
        continue
      }
      if (code === GREATER) {
        this.#at++
        return false
      }
      if (this.#tag === null && this.#wasAt(start, seenAttribute)) {
        this.#at = value.length
        return false
      }
      const end = this.#attributeNameEnd(start)
      if (this.#attributeValue(end, start)) return true
    }
    return false
  }

  #attributeNameEnd(start: number): number {
    const value = this.#value
    // A leading `=` belongs to the name.
    let at = start + 1
    for (; at < value.length; at++) {
      const code = value.charCodeAt(at)
      if (code <= 0x20 || code === SLASH || code === GREATER || code === EQUALS) break
    }
    return at
  }

  /** Moves past the attribute whose name is from `name` to `nameEnd`. @returns true if it runs script */
  #attributeValue(nameEnd: number, name: number): boolean {
    const value = this.#value
    const tag = this.#tag
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
      // Old browsers take backquotes as quotes, others as bytes of the value. So names may follow each blank inside.
      if (quote === BACKTICK) start++
      end = this.#unquotedEnd(start, quote === BACKTICK)
      this.#at = end
    }
    return this.#judged && (tag === 'loading' || runs(value, tag, name, nameEnd, start, end))
  }

  #unquotedEnd(start: number, backtick = false): number {
    const value = this.#value
    let at = start
    for (; at < value.length; at++) {
      const code = value.charCodeAt(at)
      if (code <= 0x20 || code === GREATER) break
      if (backtick && code === BACKTICK) return at + 1
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

/** Whether an attribute with a value runs script; `tag` is null if the page opened the tag. */
function runs(
  value: string,
  tag: TagKind | null,
  name: number,
  nameEnd: number,
  start: number,
  end: number,
): boolean {
  if (nameEnd - name > longestNameBytes) return false
  switch (attributeKind(value, name, nameEnd)) {
    case 'running':
      return true
    case 'handler':
      // In a tag of the value, an unknown handler is still a handler. Outside, "one = 1" is arithmetic.
      return tag !== null
    case 'style':
      // Styles read pages by selectors and addresses. In a tag of the page, only styles that run script count.
      return tag !== null || isScriptStyle(value.slice(start, end))
    case 'target':
      return namesScript(value.slice(start, end))
    case 'namespace':
      return tag !== null
    case 'address':
      return isScriptAddress(value, start, end) || (tag !== null && standsAt(value, name, 'xlink:'))
    case 'plain':
      return false
  }
}

/** A blank or `/` after the name of a tag. */
function isApart(code: number): boolean {
  return code <= 0x20 || code === SLASH
}

function isLetter(code: number): boolean {
  return isAlphanumeric(code) && code > 0x39
}

function indexOrEnd(value: string, mark: string, from: number): number {
  const index = value.indexOf(mark, from)
  return index < 0 ? value.length : index
}

/** The end of a comment's text: at `-->` or `--!>`, and at once with `<!-->` and `<!--->`. */
function commentEnd(value: string, from: number): number {
  if (value.charCodeAt(from) === GREATER || value.startsWith('->', from)) return from
  for (let at = value.indexOf('--', from); at >= 0; at = value.indexOf('--', at + 1)) {
    if (value.charCodeAt(at + 2) === GREATER || value.startsWith('!>', at + 2)) return at
  }
  return value.length
}

/** The position after a comment whose text ends at `end`. */
function commentNext(value: string, end: number): number {
  return indexOrEnd(value, '>', end) + 1
}
