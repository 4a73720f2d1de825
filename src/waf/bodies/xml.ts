import { isAlphanumeric, isDigit } from '../../kit/ascii.ts'
import { wafLimits } from '../../kit/limits.ts'
import type { BodyOptions } from './body.ts'
import { readXmlEncoding } from './xml-encoding.ts'
import { resolveReferences } from './xml-references.ts'

export interface ParsedXml {
  /** `XML:/*`: all text and CDATA sections in order, nothing between them. */
  readonly text: string
  /** `XML://@*`: values of attributes in order, without namespace declarations (which XPath does not count). */
  readonly attributes: readonly string[]
  readonly error?: string
}

/**
 * Reads an XML 1.0 document in one pass, without a tree. Nothing outside the body is ever loaded; a document type is
 * skipped and the entities that it declares are not expanded: a reference to one is an error (the text keeps it as it
 * stands, and reading goes on). Other faults of well-formedness end the reading. White space alone is no error.
 */
export function parseXml(body: string, options: BodyOptions = {}): ParsedXml {
  const source = readXmlEncoding(body)
  const reader = new XmlReader(source.text, options.complete ?? true)
  reader.read()
  const error = source.error ?? reader.error
  const parsed = { text: reader.text.join(''), attributes: reader.attributes }
  return error === undefined ? parsed : { ...parsed, error }
}

class XmlReader {
  readonly text: string[] = []
  readonly attributes: string[] = []
  error: string | undefined
  readonly #xml: string
  readonly #complete: boolean
  readonly #open: string[] = []
  #elements = 0
  #seenDoctype = false
  #at = 0

  constructor(xml: string, complete: boolean) {
    this.#xml = xml
    this.#complete = complete
  }

  read(): void {
    while (this.#at < this.#xml.length) {
      const tag = this.#xml.indexOf('<', this.#at)
      const end = tag < 0 ? this.#xml.length : tag
      if (end > this.#at && !this.#characters(this.#xml.slice(this.#at, end))) return
      this.#at = end
      if (tag >= 0 && !this.#markup()) return
    }
    if (this.#open.length > 0) this.#cut('an element is not closed')
    else if (this.#elements === 0 && (this.#seenDoctype || !isBlank(this.#xml)))
      this.#cut('there is no element')
  }

  #markup(): boolean {
    const next = this.#xml.charCodeAt(this.#at + 1)
    if (next === 0x2f) return this.#endTag()
    if (next === 0x3f) return this.#instruction()
    if (next !== 0x21) return this.#startTag()
    if (this.#xml.startsWith('<!--', this.#at)) return this.#skipPast('-->', 4, 'a comment is not closed')
    if (this.#xml.startsWith('<![CDATA[', this.#at)) return this.#cdata()
    if (this.#xml.startsWith('<!DOCTYPE', this.#at)) return this.#doctype()
    if (this.#xml.length - this.#at < '<!DOCTYPE'.length) return this.#cut('a declaration is not closed')
    return this.#fail('a declaration in the wrong place')
  }

  #characters(raw: string): boolean {
    if (this.#open.length === 0) return isBlank(raw) || this.#fail('text outside of the root element')
    const resolved = resolveReferences(raw.includes('\r') ? raw.replaceAll('\r\n', '\n') : raw)
    this.text.push(resolved.text)
    const mayBeCut = !this.#complete && this.#at + raw.length === this.#xml.length
    if (resolved.error !== undefined && !mayBeCut) this.error ??= resolved.error
    return !hasControl(raw) || this.#fail('a control character')
  }

  #cdata(): boolean {
    if (this.#open.length === 0) return this.#fail('text outside of the root element')
    const start = this.#at + '<![CDATA['.length
    const end = this.#xml.indexOf(']]>', start)
    this.text.push(this.#xml.slice(start, end < 0 ? this.#xml.length : end))
    if (end < 0) return this.#cut('a CDATA section is not closed')
    this.#at = end + 3
    return true
  }

  #instruction(): boolean {
    if (this.#at > 0 && isDeclaration(this.#xml, this.#at))
      return this.#fail('an XML declaration in the wrong place')
    return this.#skipPast('?>', 2, 'a processing instruction is not closed')
  }

  #skipPast(closing: string, opening: number, fault: string): boolean {
    const end = this.#xml.indexOf(closing, this.#at + opening)
    if (end < 0) return this.#cut(fault)
    this.#at = end + closing.length
    return true
  }

  #doctype(): boolean {
    if (this.#seenDoctype || this.#elements > 0) return this.#fail('a document type in the wrong place')
    this.#seenDoctype = true
    const end = doctypeEnd(this.#xml, this.#at + '<!DOCTYPE'.length)
    if (end < 0) return this.#cut('the document type is not closed')
    this.#at = end
    return true
  }

  #endTag(): boolean {
    const start = this.#at + 2
    const nameEnd = endOfName(this.#xml, start)
    const end = skipBlanks(this.#xml, nameEnd)
    if (end >= this.#xml.length) return this.#cut('a tag is not closed')
    if (this.#xml.charCodeAt(end) !== 0x3e) return this.#fail('a malformed end tag')
    if (this.#open.pop() !== this.#xml.slice(start, nameEnd))
      return this.#fail('an end tag without its start tag')
    this.#at = end + 1
    return true
  }

  #startTag(): boolean {
    if (this.#open.length === 0 && this.#elements > 0) return this.#fail('a second root element')
    if (this.#elements++ === wafLimits.xmlElementsMax) return this.#fail('too many elements')
    const start = this.#at + 1
    const nameEnd = endOfName(this.#xml, start)
    if (nameEnd >= this.#xml.length) return this.#cut('a tag is not closed')
    if (nameEnd === start) return this.#fail('a tag without a name')
    this.#at = nameEnd
    if (!this.#attributeList()) return false
    if (this.#xml.charCodeAt(this.#at) === 0x2f) {
      if (this.#at + 1 === this.#xml.length) return this.#cut('a tag is not closed')
      if (this.#xml.charCodeAt(this.#at + 1) !== 0x3e) return this.#fail('a malformed tag')
      this.#at += 2
      return true
    }
    if (this.#open.length === wafLimits.xmlDepthMax) return this.#fail('elements too deep inside one another')
    this.#open.push(this.#xml.slice(start, nameEnd))
    this.#at++
    return true
  }

  /** Attributes up to the `>` or `/` of the tag. */
  #attributeList(): boolean {
    const names = new Set<string>()
    for (;;) {
      const at = skipBlanks(this.#xml, this.#at)
      if (at >= this.#xml.length) return this.#cut('a tag is not closed')
      const code = this.#xml.charCodeAt(at)
      const separated = at > this.#at
      this.#at = at
      if (code === 0x3e || code === 0x2f) return true
      if (!separated) return this.#fail('a malformed tag')
      const name = this.#attribute()
      if (name === undefined) return false
      if (names.has(name)) return this.#fail('an attribute that is given twice')
      names.add(name)
      if (names.size > wafLimits.xmlElementAttributesMax)
        return this.#fail('too many attributes in one element')
    }
  }

  /** One `name="value"`; its name, undefined after a fault. */
  #attribute(): string | undefined {
    const start = this.#at
    const nameEnd = endOfName(this.#xml, start)
    const equals = skipBlanks(this.#xml, nameEnd)
    const open = skipBlanks(this.#xml, equals + 1)
    const quote = this.#xml[open]
    if (nameEnd === start || (equals < this.#xml.length && this.#xml.charCodeAt(equals) !== 0x3d)) {
      this.#fail('a malformed attribute')
      return undefined
    }
    if (quote === undefined) {
      this.#cut('a tag is not closed')
      return undefined
    }
    if (quote !== '"' && quote !== "'") {
      this.#fail('an attribute value without quotes')
      return undefined
    }
    const end = this.#xml.indexOf(quote, open + 1)
    const name = this.#xml.slice(start, nameEnd)
    if (end < 0) {
      this.attributes.push(this.#xml.slice(open + 1))
      this.#cut('an attribute value is not closed')
      return undefined
    }
    this.#at = end + 1
    return this.#attributeValue(name, this.#xml.slice(open + 1, end)) ? name : undefined
  }

  #attributeValue(name: string, raw: string): boolean {
    if (name === 'xmlns' || name.startsWith('xmlns:')) return true
    if (this.attributes.length === wafLimits.xmlAttributesMax) return this.#fail('too many attributes')
    const resolved = resolveReferences(raw)
    this.attributes.push(resolved.text)
    if (resolved.error !== undefined) this.error ??= resolved.error
    return !raw.includes('<') || this.#fail('a < in an attribute value')
  }

  /** The text ends too soon: an error unless the body was cut. Reading ends either way. */
  #cut(what: string): false {
    return this.#complete ? this.#fail(what) : false
  }

  #fail(what: string): false {
    this.error ??= `XML: ${what} (byte ${this.#at})`
    return false
  }
}

/** Behind the `>` that ends a document type whose keyword ends at `start`; -1 when it does not end. */
function doctypeEnd(xml: string, start: number): number {
  let inSubset = false
  for (let i = start; i < xml.length; ) {
    const code = xml.charCodeAt(i)
    let skipTo: string | undefined
    if (code === 0x22 || code === 0x27) skipTo = xml[i]!
    else if (xml.startsWith('<!--', i)) skipTo = '-->'
    else if (xml.startsWith('<?', i)) skipTo = '?>'
    if (skipTo !== undefined) {
      const end = xml.indexOf(skipTo, i + (code === 0x3c ? 2 : 1))
      if (end < 0) return -1
      i = end + skipTo.length
      continue
    }
    if (code === 0x5b) inSubset = true
    else if (code === 0x5d) inSubset = false
    else if (code === 0x3e && !inSubset) return i + 1
    i++
  }
  return -1
}

/** `<?xml` and a blank, in whatever case (other cases are reserved). */
function isDeclaration(xml: string, at: number): boolean {
  return xml.slice(at + 2, at + 5).toLowerCase() === 'xml' && skipBlanks(xml, at + 5) > at + 5
}

/** A rough Name (production 5): every byte from 0x80 on counts as a letter. Ends where it begins when there is none. */
function endOfName(xml: string, start: number): number {
  const first = xml.charCodeAt(start)
  if (isDigit(first) || first === 0x2d || first === 0x2e) return start
  let i = start
  while (isNameByte(xml.charCodeAt(i))) i++
  return i
}

function isNameByte(code: number): boolean {
  return (
    isAlphanumeric(code) || code === 0x5f || code === 0x3a || code === 0x2d || code === 0x2e || code > 0x7f
  )
}

function skipBlanks(xml: string, start: number): number {
  let i = start
  while (isXmlSpace(xml.charCodeAt(i))) i++
  return i
}

function isXmlSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

function isBlank(text: string): boolean {
  return skipBlanks(text, 0) === text.length
}

function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x20 && !isXmlSpace(code)) return true
  }
  return false
}
