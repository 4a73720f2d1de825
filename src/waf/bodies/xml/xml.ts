import type { BodyReader } from '../body.ts'
import { bytesOfPart, findClass, isBlankByte, noBytes } from '../part-bytes.ts'
import { Terminator } from '../terminator.ts'
import { DoctypeScanner } from './doctype.ts'
import { XmlDecoder } from './encoding.ts'
import { resolveReferences } from './references.ts'
import { LACKS_END, XmlTags } from './tags.ts'

export interface ParsedXml {
  /** `XML:/*`: all text and CDATA sections in order, without separators. */
  readonly text: string
  /** `XML://@*`: values of attributes in order, without namespace declarations (which XPath does not count). */
  readonly attributes: readonly string[]
  readonly error?: string
}

/**
 * Reads an XML 1.0 document in one pass, without a tree. Nothing outside the body is ever loaded. A document type is
 * skipped and its entities are not expanded: a reference to one is an error (the text keeps it unchanged, and reading
 * continues). Other faults of well-formedness end the reading. White space alone is no error.
 */
export function xmlReader(): BodyReader<ParsedXml> {
  return new XmlReader()
}

/** Reading methods take an offset in the part and return the offset where reading continues. */
class XmlReader implements BodyReader<ParsedXml> {
  readonly #decoder = new XmlDecoder()
  readonly #tags = new XmlTags()
  readonly #text: string[] = []
  #error: string | undefined
  #state = IN_CONTENT
  #part = ''
  #bytes = noBytes
  /** Bytes of the parts before this one. */
  #before = 0
  /** No part follows. */
  #isLast = false
  /** The beginning of an unfinished token. Nothing reads it before the end, so that it is flattened once. */
  #held = ''
  /** Whether the text has references or CRs; whether it has control characters. */
  #mustResolve = false
  #hasControl = false
  /** Searches the end of a comment, processing instruction, document type or CDATA section. */
  #ending: { find(part: string, start: number): number } = new Terminator('>')
  /** Start of the unfinished markup, and the error if it never ends. */
  #openedAt = 0
  #unclosed = ''
  /** The quote around the position in the pending tag. */
  #quote = ''
  #seenDoctype = false
  #seenMarkup = false

  write(part: string): void {
    this.#readOn(this.#decoder.decode(part))
  }

  end(complete: boolean): ParsedXml {
    this.#readOn(this.#decoder.end())
    this.#isLast = true
    if (this.#state === IN_TAG || this.#state === IN_MARKUP) this.#readHeld('')
    this.#endDocument(complete)
    const parsed = { text: this.#text.join(''), attributes: this.#tags.attributes }
    const error = this.#decoder.error ?? this.#error
    return error === undefined ? parsed : { ...parsed, error }
  }

  #endDocument(complete: boolean): void {
    if (this.#state === IN_CDATA) this.#text.push(this.#held)
    // A reference may be wrong only because the body is cut.
    else if (this.#state === IN_CONTENT && this.#held !== '')
      this.#endText(this.#held, this.#before, !complete)
    if (!complete || this.#state === STOPPED) return
    if (this.#state !== IN_CONTENT) this.#fail(this.#unclosed, this.#openedAt)
    else if (this.#tags.depth > 0) this.#fail('an element is not closed', this.#before)
    else if (this.#tags.elements === 0 && this.#seenMarkup) this.#fail('there is no element', this.#before)
  }

  #readOn(part: string): void {
    if (this.#state === IN_MARKUP) this.#readHeld(part)
    else if (this.#state === IN_TAG) this.#readHeldTag(part)
    else this.#read(part)
  }

  /** Once a tag has its end, it is read like a separate part. */
  #readHeldTag(part: string): void {
    const end = this.#tagEnd(part)
    if (end < 0) {
      this.#held += part
      this.#before += part.length
    } else {
      this.#readHeld(part.slice(0, end))
      this.#read(part.slice(end))
    }
  }

  #readHeld(rest: string): void {
    const text = this.#held + rest
    this.#before -= this.#held.length
    this.#held = ''
    this.#state = IN_CONTENT
    this.#read(text)
  }

  #read(part: string): void {
    this.#part = part
    this.#bytes = bytesOfPart(part)
    for (let at = 0; at < part.length; ) {
      if (this.#state === IN_CONTENT) at = this.#content(at)
      else if (this.#state === IN_CDATA) at = this.#cdata(at)
      else if (this.#state === PASSING_OVER) at = this.#passOver(at)
      else at = part.length
    }
    this.#before += part.length
  }

  /** Text up to the next markup, and that markup. */
  #content(start: number): number {
    const bytes = this.#bytes
    const { length } = this.#part
    let i = start
    for (; ; i++) {
      i = findClass(bytes, i, stopsText)
      const code = bytes[i]
      if (i >= length || code === LESS) break
      if (code === 0x26 || code === 0x0d) this.#mustResolve = true
      else this.#hasControl = true
    }
    if (i >= length) {
      this.#held += this.#part.slice(start)
      return length
    }
    if (i > start || this.#held !== '') this.#endText(this.#take(start, i), this.#before + i, false)
    return this.#state === IN_CONTENT ? this.#markup(i) : length
  }

  #endText(raw: string, end: number, mayBeCut: boolean): void {
    if (this.#tags.depth > 0) {
      const resolved = this.#mustResolve ? resolveReferences(raw, true) : undefined
      this.#text.push(resolved?.text ?? raw)
      if (resolved?.wrong && !mayBeCut) this.#error ??= WRONG_REFERENCE
      if (this.#hasControl) this.#fail('a control character', end - raw.length)
    } else if (!isBlank(raw)) this.#fail(TEXT_OUTSIDE, end - raw.length)
    this.#mustResolve = false
  }

  #markup(at: number): number {
    this.#seenMarkup = true
    const code = this.#bytes[at + 1]
    if (code === 0x21) return this.#declaration(at)
    if (code === 0x3f) return this.#instruction(at)
    // The `<` alone may still become any of these.
    if (at + 1 === this.#part.length && !this.#isLast) return this.#hold(IN_MARKUP, at)
    const end = this.#tags.read(this.#part, this.#bytes, at)
    if (this.#tags.hasWrongReference) this.#error ??= WRONG_REFERENCE
    if (end >= 0) return end
    const { fault, faultAt } = this.#tags
    if (end !== LACKS_END) return this.#stop(faultAt, fault)
    return this.#isLast ? this.#open(IN_TAG, faultAt, fault, this.#part.length) : this.#holdTag(at)
  }

  #instruction(at: number): number {
    if (this.#before + at > 0) {
      if (at + 6 > this.#part.length && !this.#isLast) return this.#hold(IN_MARKUP, at)
      // `<?xml` and a blank, in any case: other cases are reserved.
      const isDeclaration =
        isBlankByte[this.#bytes[at + 5]!] === 1 && this.#part.slice(at + 2, at + 5).toLowerCase() === 'xml'
      if (isDeclaration) return this.#stop(at, 'an XML declaration in the wrong place')
    }
    this.#ending = new Terminator('?>')
    return this.#open(PASSING_OVER, at, 'a processing instruction is not closed', at + 2)
  }

  #declaration(at: number): number {
    const part = this.#part
    if (part.startsWith('<!--', at)) {
      this.#ending = new Terminator('-->')
      return this.#open(PASSING_OVER, at, 'a comment is not closed', at + 4)
    }
    if (part.startsWith(CDATA, at)) {
      if (this.#tags.depth === 0) return this.#stop(at, TEXT_OUTSIDE)
      this.#ending = new Terminator(']]>')
      return this.#open(IN_CDATA, at, 'a CDATA section is not closed', at + CDATA.length)
    }
    if (part.startsWith(DOCTYPE, at)) {
      if (this.#seenDoctype || this.#tags.elements > 0)
        return this.#stop(at, 'a document type in the wrong place')
      this.#seenDoctype = true
      this.#ending = new DoctypeScanner()
      return this.#open(PASSING_OVER, at, 'the document type is not closed', at + DOCTYPE.length)
    }
    if (part.length - at >= DOCTYPE.length) return this.#stop(at, 'a declaration in the wrong place')
    if (!this.#isLast) return this.#hold(IN_MARKUP, at)
    return this.#open(IN_TAG, at, 'a declaration is not closed', part.length)
  }

  #passOver(at: number): number {
    const end = this.#ending.find(this.#part, at)
    if (end < 0) return this.#part.length
    this.#state = IN_CONTENT
    return end
  }

  #cdata(at: number): number {
    const end = this.#ending.find(this.#part, at)
    if (end < 0) return this.#hold(IN_CDATA, at)
    this.#text.push(this.#take(at, end).slice(0, -']]>'.length))
    this.#state = IN_CONTENT
    return end
  }

  #holdTag(at: number): number {
    this.#tags.undo()
    this.#tagEnd(this.#part.slice(at))
    return this.#hold(IN_TAG, at)
  }

  /** Offset after the `>` of the pending tag, -1 if the part does not contain it. Reads every byte once. */
  #tagEnd(part: string): number {
    for (let i = 0; i < part.length; ) {
      if (this.#quote !== '') {
        const close = part.indexOf(this.#quote, i)
        if (close < 0) return -1
        this.#quote = ''
        i = close + 1
      } else {
        const code = part.charCodeAt(i++)
        if (code === 0x3e) return i
        if (code === 0x22 || code === 0x27) this.#quote = part[i - 1]!
      }
    }
    return -1
  }

  /** @param unclosed the error if the body ends in it */
  #open(state: number, at: number, unclosed: string, next: number): number {
    this.#state = state
    this.#openedAt = this.#before + at
    this.#unclosed = unclosed
    return next
  }

  /** The token at `at` continues in the next part. */
  #hold(state: number, at: number): number {
    this.#state = state
    this.#held += this.#part.slice(at)
    return this.#part.length
  }

  /** A slice of the part, after the token's beginning in earlier parts. */
  #take(start: number, end: number): string {
    const piece = this.#part.slice(start, end)
    if (this.#held === '') return piece
    const whole = this.#held + piece
    this.#held = ''
    return whole
  }

  #stop(at: number, what: string): number {
    this.#fail(what, this.#before + at)
    return this.#part.length
  }

  #fail(what: string, position: number): void {
    this.#error ??= `XML: ${what} (byte ${position})`
    this.#state = STOPPED
  }
}

function isBlank(text: string): boolean {
  let i = 0
  while (i < text.length && isBlankByte[text.charCodeAt(i)] === 1) i++
  return i === text.length
}

/** The role of the next byte. IN_MARKUP: the kind of markup after a `<` is not known yet. */
const IN_CONTENT = 0
const IN_MARKUP = 1
const IN_TAG = 2
const IN_CDATA = 3
const PASSING_OVER = 4
const STOPPED = 5

const LESS = 0x3c
const CDATA = '<![CDATA['
const DOCTYPE = '<!DOCTYPE'
const TEXT_OUTSIDE = 'text outside of the root element'
const WRONG_REFERENCE = 'XML: a reference that is not numeric and not predefined'

/** Bytes that end the fast path through text: its end, references, CR, control characters. */
const stopsText = new Uint8Array(256).fill(1, 0, 0x20)
stopsText[0x09] = 0
stopsText[0x0a] = 0
stopsText[0x26] = 1
stopsText[LESS] = 1
