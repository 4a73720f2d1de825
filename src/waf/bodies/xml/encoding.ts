import { stringOfBytes } from '../../../kit/bytes.ts'
import { wafLimits } from '../../limits.ts'
import { scratchOf } from '../../transformations/scratch.ts'
import { holdsAscii } from '../charset-labels.ts'
import { bytesOfPart, isBlankByte } from '../part-bytes.ts'
import { writeUtf8 } from '../utf8-write.ts'

/**
 * Converts a document to an encoding that holds ASCII unchanged: drops a byte order mark, turns UTF-16 into UTF-8,
 * and checks the declared encoding. UTF-16 has a mark, or a zero byte beside the first `<`. Unreadable text is
 * returned unchanged.
 * @source XML 1.0, appendix F
 */
export class XmlDecoder {
  /** The declared encoding cannot be read. */
  error: string | undefined
  /** The beginning, until it shows the encoding; then the bytes of an incomplete UTF-16 character. */
  #held = ''
  #encoding: 'unknown' | 'ascii' | 'big-endian' | 'little-endian' = 'unknown'

  /** The readable bytes of the next part. */
  decode(part: string): string {
    if (this.#encoding === 'ascii') return part
    const text = this.#held === '' ? part : this.#held + part
    this.#held = ''
    if (this.#encoding !== 'unknown') return this.#fromUtf16(text, false)
    if (isUndecided(text)) {
      this.#held = text
      return ''
    }
    return this.#begin(text, false)
  }

  /** The rest. */
  end(): string {
    if (this.#encoding === 'unknown') return this.#begin(this.#held, true)
    return this.#encoding === 'ascii' ? '' : this.#fromUtf16(this.#held, true)
  }

  #begin(text: string, isLast: boolean): string {
    this.#encoding = encodingOf(text)
    if (this.#encoding !== 'ascii')
      return this.#fromUtf16(text.charCodeAt(0) < 0xfe ? text : text.slice(2), isLast)
    const document = withoutMark(text)
    this.error = declarationFault(document)
    return document
  }

  /** Half a surrogate pair becomes `?`; half a unit at the end is dropped. */
  #fromUtf16(text: string, isLast: boolean): string {
    const bytes = bytesOfPart(text)
    const high = this.#encoding === 'big-endian' ? 0 : 1
    const unitAt = (at: number) => (bytes[at + high]! << 8) | bytes[at + 1 - high]!
    const out = scratchOf(2 * text.length)
    let length = 0
    let at = 0
    for (; at + 1 < text.length; at += 2) {
      const unit = unitAt(at)
      if (unit < 0xd800 || unit > 0xdfff) {
        length = writeUtf8(out, length, unit)
        continue
      }
      const isPaired = unit < 0xdc00 && at + 3 < text.length
      if (unit < 0xdc00 && !isPaired && !isLast) break
      const low = isPaired ? unitAt(at + 2) : 0
      if (low < 0xdc00 || low > 0xdfff) out[length++] = 0x3f
      else {
        length = writeUtf8(out, length, 0x10000 + ((unit - 0xd800) << 10) + low - 0xdc00)
        at += 2
      }
    }
    this.#held = text.slice(at)
    return stringOfBytes(out, length)
  }
}

/** Whether more bytes could show another encoding. */
function isUndecided(text: string): boolean {
  if (marks.some(mark => text.length < mark.length && mark.startsWith(text))) return true
  const document = withoutMark(text)
  if (document.length <= DECLARATION.length)
    return DECLARATION.startsWith(document.slice(0, DECLARATION.length))
  return (
    document.length < wafLimits.xmlDeclarationBytesMax && isDeclared(document) && !document.includes('?>')
  )
}

function encodingOf(text: string): 'ascii' | 'big-endian' | 'little-endian' {
  if (text.startsWith('\xfe\xff') || text.startsWith('\0<')) return 'big-endian'
  return text.startsWith('\xff\xfe') || text.startsWith('<\0') ? 'little-endian' : 'ascii'
}

function withoutMark(text: string): string {
  return text.startsWith(UTF8_MARK) ? text.slice(UTF8_MARK.length) : text
}

/** `<?xml` and a blank: other names only begin like it. */
function isDeclared(document: string): boolean {
  return document.startsWith(DECLARATION) && isBlankByte[document.charCodeAt(DECLARATION.length)] === 1
}

/** Why the document may not be in ASCII. */
function declarationFault(document: string): string | undefined {
  if (!isDeclared(document)) return undefined
  const end = document.indexOf('?>')
  // After many blanks, an encoding could hide from a reader of the beginning.
  if (
    end < 0 ? document.length >= wafLimits.xmlDeclarationBytesMax : end + 2 > wafLimits.xmlDeclarationBytesMax
  )
    return `XML: the declaration is longer than ${wafLimits.xmlDeclarationBytesMax} bytes`
  const name = encodingIn(end < 0 ? document : document.slice(0, end))
  if (holdsAscii(name)) return undefined
  return `XML: the encoding ${name} is not read`
}

/** Lower-case name in `<?xml … encoding="name" …`, '' without one. */
function encodingIn(declaration: string): string {
  const label = declaration.indexOf('encoding')
  if (label < 0) return ''
  const double = declaration.indexOf('"', label)
  const single = declaration.indexOf("'", label)
  const open = double < 0 || (single >= 0 && single < double) ? single : double
  if (open < 0) return ''
  const close = declaration.indexOf(declaration[open]!, open + 1)
  return close < 0 ? '' : declaration.slice(open + 1, close).toLowerCase()
}

const UTF8_MARK = '\xef\xbb\xbf'
const marks = [UTF8_MARK, '\xfe\xff', '\xff\xfe', '\0<', '<\0']
const DECLARATION = '<?xml'
