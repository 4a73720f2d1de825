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
    const names = parameterValues(text, at + PARAMETER.length)
    const unread = names.find(name => !holdsAscii(name))
    if (unread !== undefined) return unread
  }
  return undefined
}

const PARAMETER = 'charset'
/** `*`, `*0`, `*12*`: a longer one is none, and reading it for each name would be quadratic. */
const longestSuffix = 4
/** A longer value of `charset*` is no known charset. Reading on for each one would be quadratic. */
const longestExtended = 100

/**
 * Texts that readers may take for the value of a parameter, by the text after its name: `=value`, or `*=value` and
 * `*0=value` (RFC 2231). Of `*=charset'language'value`, the first part or the last one counts. Empty for other text.
 */
function parameterValues(text: string, nameEnd: number): readonly string[] {
  let at = nameEnd
  const suffixEnd = nameEnd + longestSuffix
  while (at < suffixEnd && (text[at] === '*' || (at > nameEnd && isAlphanumeric(text.charCodeAt(at))))) at++
  const isExtended = at > nameEnd
  while (isSpace(text.charCodeAt(at))) at++
  if (text[at] !== '=') return []
  at++
  while (isSpace(text.charCodeAt(at)) || isQuote(text[at])) at++
  const end = valueEnd(text, at, isExtended)
  if (!isExtended || end - at > longestExtended) return [text.slice(at, end)]
  const parts = text.slice(at, end).split(/['"]+/)
  return [parts[0]!, parts.at(-1) || (parts.at(-2) ?? '')]
}

function valueEnd(text: string, start: number, isExtended: boolean): number {
  let at = start
  for (; at < text.length; at++) {
    if (isExtended && at - start > longestExtended) break
    if (isSpace(text.charCodeAt(at)) || ';,'.includes(text[at]!) || (!isExtended && isQuote(text[at]))) break
  }
  return at
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'"
}

function isNameByte(code: number): boolean {
  return isAlphanumeric(code) || code === 0x2d || code === 0x5f
}
