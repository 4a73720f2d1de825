import { isAlphanumeric, isSpace } from '../../kit/ascii.ts'
import { lowercase } from '../transformations/case.ts'
import { holdsAscii } from './charset-labels.ts'

/**
 * Charsets in which bytes of text hide from rules. Rules read bytes and take those below 0x80 as ASCII. If that is
 * wrong (UTF-16, UTF-7, EBCDIC, charsets that switch by escape sequences), a body cannot be inspected as its origin
 * reads it.
 */

/**
 * The first charset of a Content-Type that rules cannot read, in lower case; undefined if there is none. It checks
 * every position where some reader could see a parameter: in quotes, after a comma, repeated, in any case, with blanks
 * around `=`.
 */
export function unreadCharset(contentType: string): string | undefined {
  const text = lowercase(contentType)
  for (let at = text.indexOf(PARAMETER); at >= 0; at = text.indexOf(PARAMETER, at + 1)) {
    if (at > 0 && isNameByte(text.charCodeAt(at - 1))) continue
    const name = parameterValue(text, at + PARAMETER.length)
    if (name !== undefined && !holdsAscii(name)) return name
  }
  return undefined
}

const PARAMETER = 'charset'
/** `*`, `*0`, `*12*`: a longer one is none, and reading it for each name would be quadratic. */
const suffixCharactersMax = 4

/** The text after a parameter's name: `=value`, or `*=value` and `*0=value` (RFC 2231). Undefined for other text. */
function parameterValue(text: string, nameEnd: number): string | undefined {
  let at = nameEnd
  const suffixEnd = nameEnd + suffixCharactersMax
  while (at < suffixEnd && (text[at] === '*' || (at > nameEnd && isAlphanumeric(text.charCodeAt(at))))) at++
  while (isSpace(text.charCodeAt(at))) at++
  if (text[at] !== '=') return undefined
  at++
  while (isSpace(text.charCodeAt(at)) || isQuote(text[at])) at++
  const start = at
  while (at < text.length && !isSpace(text.charCodeAt(at)) && !isQuote(text[at]) && !';,'.includes(text[at]!))
    at++
  return text.slice(start, at)
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'"
}

function isNameByte(code: number): boolean {
  return isAlphanumeric(code) || code === 0x2d || code === 0x5f
}
