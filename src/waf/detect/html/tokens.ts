import { isAlphanumeric } from '../../../kit/ascii.ts'

/** Where in a page the value may begin. */
export type Context = 'data' | 'unquoted' | '"' | "'" | '`'

/** What the tokenizer reports; names are lower-case, values as they stand. */
export interface Visitor {
  /** `<name` was read. True stops the tokenizer. */
  tag(name: string): boolean
  /** An attribute; `value` is null without `=`, and `tag` null where the tag was opened by the page. */
  attribute(tag: string | null, name: string, value: string | null): boolean
  /** `<!…`, `<?…`: what stands between `<` and the end, without either. */
  markup(text: string): boolean
}

const LESS = 0x3c
const GREATER = 0x3e
const SLASH = 0x2f
const EQUALS = 0x3d
/** No name that matters is longer. */
const nameBytesMax = 60
const markupBytesMax = 4096

/**
 * Reads a value as the HTML standard's tokenizer would from `context` on, leniently: control characters count as
 * white space and what the value leaves open counts as closed, for the page goes on behind it.
 * @returns true when the visitor stopped it. One pass; each byte is looked at a bounded number of times.
 */
export function tokenize(value: string, context: Context, visitor: Visitor): boolean {
  return new HtmlTokenizer(value, visitor).run(context)
}

class HtmlTokenizer {
  readonly #value: string
  readonly #visitor: Visitor
  #at = 0

  constructor(value: string, visitor: Visitor) {
    this.#value = value
    this.#visitor = visitor
  }

  run(context: Context): boolean {
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
      if (less < 0) return false
      const code = value.charCodeAt(less + 1)
      this.#at = less + 1
      if (code === 0x21 || code === 0x3f) {
        if (this.#markup()) return true
      } else if (code === SLASH && isLetter(value.charCodeAt(less + 2))) {
        this.#at = less + 2
        this.#name()
        // Attributes of an end tag do nothing, but their quotes hide `>`.
        this.#skipAttributes()
      } else if (isLetter(code)) {
        const name = this.#name()
        if (this.#visitor.tag(name) || this.#attributes(name)) return true
      }
    }
  }

  #name(): string {
    const value = this.#value
    const start = this.#at
    let at = start
    for (; at < value.length; at++) {
      const code = value.charCodeAt(at)
      if (code <= 0x20 || code === SLASH || code === GREATER) break
    }
    this.#at = at
    return at - start > nameBytesMax ? '' : value.slice(start, at).toLowerCase()
  }

  /** Comments, CDATA, declarations and processing instructions. */
  #markup(): boolean {
    const value = this.#value
    const start = this.#at
    const [end, next] = value.startsWith('!--', start)
      ? commentEnd(value, start + 3)
      : closing(value, start, '>')
    this.#at = next
    return this.#visitor.markup(value.slice(start, Math.min(end, start + markupBytesMax)))
  }

  #attributes(tag: string | null): boolean {
    return this.#eachAttribute((name, value) => this.#visitor.attribute(tag, name, value))
  }

  #skipAttributes(): void {
    this.#eachAttribute(() => false)
  }

  #eachAttribute(visit: (name: string, value: string | null) => boolean): boolean {
    const value = this.#value
    while (this.#at < value.length) {
      const code = value.charCodeAt(this.#at)
      if (code <= 0x20 || code === SLASH) {
        this.#at++
        continue
      }
      if (code === GREATER) {
        this.#at++
        return false
      }
      const name = this.#attributeName()
      if (visit(name, this.#attributeValue())) return true
    }
    return false
  }

  #attributeName(): string {
    const value = this.#value
    const start = this.#at
    // A `=` at the front belongs to the name.
    let at = start + 1
    for (; at < value.length; at++) {
      const code = value.charCodeAt(at)
      if (code <= 0x20 || code === SLASH || code === GREATER || code === EQUALS) break
    }
    this.#at = at
    return at - start > nameBytesMax ? '' : value.slice(start, at).toLowerCase()
  }

  #attributeValue(): string | null {
    const value = this.#value
    const equals = this.#skipBlanks(this.#at)
    if (value.charCodeAt(equals) !== EQUALS) {
      this.#at = equals
      return null
    }
    const start = this.#skipBlanks(equals + 1)
    const quote = value.charAt(start)
    if (quote !== '"' && quote !== "'") {
      this.#at = this.#unquotedEnd(start)
      return value.slice(start, this.#at)
    }
    const [end, next] = closing(value, start + 1, quote)
    this.#at = next
    return value.slice(start + 1, end)
  }

  #unquotedEnd(start: number): number {
    const value = this.#value
    let at = start
    while (at < value.length && value.charCodeAt(at) > 0x20 && value.charCodeAt(at) !== GREATER) at++
    return at
  }

  #skipBlanks(start: number): number {
    let at = start
    while (this.#value.charCodeAt(at) <= 0x20) at++
    return at
  }
}

function isLetter(code: number): boolean {
  return code !== LESS && isAlphanumeric(code) && code > 0x39
}

/** Where the text before `mark` ends and where to go on behind it. */
function closing(value: string, from: number, mark: string): [end: number, next: number] {
  const end = value.indexOf(mark, from)
  return end < 0 ? [value.length, value.length] : [end, end + mark.length]
}

/** A comment ends at `-->` or `--!>`, and at once with `<!-->` and `<!--->`. */
function commentEnd(value: string, from: number): [end: number, next: number] {
  if (value.charCodeAt(from) === GREATER) return [from, from + 1]
  if (value.startsWith('->', from)) return [from, from + 2]
  for (let at = value.indexOf('--', from); at >= 0; at = value.indexOf('--', at + 1)) {
    if (value.charCodeAt(at + 2) === GREATER) return [at, at + 3]
    if (value.startsWith('!>', at + 2)) return [at, at + 4]
  }
  return [value.length, value.length]
}
