import { utf8Encode } from './utf8-encode.ts'

/** A document in an encoding that holds ASCII as it is, ready to be parsed. */
export interface XmlSource {
  readonly text: string
  /** The declared encoding cannot be read; the text is what the bytes would be in ASCII. */
  readonly error?: string
}

/**
 * Drops a byte order mark, turns UTF-16 (told by its mark or by the zero byte beside the first `<`) into UTF-8 and checks
 * the declared encoding. @source XML 1.0, appendix F
 */
export function readXmlEncoding(body: string): XmlSource {
  if (body.startsWith('\xef\xbb\xbf')) return checkDeclared(body.slice(3))
  if (body.startsWith('\xfe\xff')) return { text: fromUtf16(body, 2, false) }
  if (body.startsWith('\xff\xfe')) return { text: fromUtf16(body, 2, true) }
  if (body.startsWith('\0<')) return { text: fromUtf16(body, 0, false) }
  if (body.startsWith('<\0')) return { text: fromUtf16(body, 0, true) }
  return checkDeclared(body)
}

function checkDeclared(text: string): XmlSource {
  const name = declaredEncoding(text)
  if (name === '' || asciiFamilies.some(family => name.startsWith(family))) return { text }
  return { text, error: `XML: the encoding ${name} is not read` }
}

/** Lower-case name in `<?xml … encoding="name" … ?>`, '' without one. */
function declaredEncoding(text: string): string {
  if (!text.startsWith('<?xml')) return ''
  const end = text.indexOf('?>')
  const declaration = text.slice(0, Math.min(end < 0 ? text.length : end, DECLARATION_BYTES_MAX))
  const label = declaration.indexOf('encoding')
  if (label < 0) return ''
  const double = declaration.indexOf('"', label)
  const single = declaration.indexOf("'", label)
  const open = double < 0 || (single >= 0 && single < double) ? single : double
  if (open < 0) return ''
  const close = declaration.indexOf(declaration[open]!, open + 1)
  return close < 0 ? '' : declaration.slice(open + 1, close).toLowerCase()
}

const DECLARATION_BYTES_MAX = 256
/** Encodings in which the bytes below 0x80 are ASCII. */
const asciiFamilies = ['utf-8', 'utf8', 'us-ascii', 'ascii', 'iso-8859-', 'latin1', 'windows-125']

/** Half a surrogate pair becomes `?`. */
function fromUtf16(body: string, start: number, littleEndian: boolean): string {
  const pieces: string[] = []
  for (let i = start; i + 1 < body.length; i += 2) {
    const unit = unitAt(body, i, littleEndian)
    if (unit < 0xd800 || unit > 0xdfff) {
      pieces.push(utf8Encode(unit))
      continue
    }
    const next = unit < 0xdc00 && i + 3 < body.length ? unitAt(body, i + 2, littleEndian) : 0
    if (next < 0xdc00 || next > 0xdfff) pieces.push('?')
    else {
      pieces.push(utf8Encode(0x10000 + ((unit - 0xd800) << 10) + next - 0xdc00))
      i += 2
    }
  }
  return pieces.join('')
}

function unitAt(body: string, at: number, littleEndian: boolean): number {
  const first = body.charCodeAt(at)
  const second = body.charCodeAt(at + 1)
  return littleEndian ? (second << 8) | first : (first << 8) | second
}
