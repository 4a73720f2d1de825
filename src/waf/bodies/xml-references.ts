import { hexValue, isDigit } from '../../kit/ascii.ts'
import { utf8Encode } from './utf8-encode.ts'

export interface XmlText {
  readonly text: string
  readonly error?: string
}

/**
 * Numeric references (to UTF-8) and the five predefined entities are resolved. Any other entity is never expanded: it
 * stays as it is and is an error, as is a `&` that begins no reference. One pass.
 */
export function resolveReferences(raw: string): XmlText {
  let at = raw.indexOf('&')
  if (at < 0) return { text: raw }
  const pieces: string[] = []
  let error: string | undefined
  let from = 0
  while (at >= 0) {
    const end = referenceEnd(raw, at + 1)
    const resolved = raw.charCodeAt(end) === 0x3b ? resolve(raw.slice(at + 1, end)) : undefined
    if (resolved === undefined) error ??= 'XML: a reference that is not numeric and not predefined'
    else {
      pieces.push(raw.slice(from, at), resolved)
      from = end + 1
    }
    at = raw.indexOf('&', end)
  }
  pieces.push(raw.slice(from))
  const text = pieces.join('')
  return error === undefined ? { text } : { text, error }
}

/** End of a reference's name: the first byte that cannot be part of one. */
function referenceEnd(raw: string, start: number): number {
  let i = start
  while (i < raw.length && !'&;< \t\r\n'.includes(raw[i]!)) i++
  return i
}

function resolve(name: string): string | undefined {
  if (!name.startsWith('#')) return predefined.get(name)
  const hexadecimal = name[1] === 'x'
  const code = hexadecimal ? parseNumber(name, 2, 16) : parseNumber(name, 1, 10)
  return isXmlCharacter(code) ? utf8Encode(code) : undefined
}

/** -1 for no number, at most 0x110000. */
function parseNumber(text: string, start: number, base: 10 | 16): number {
  let number = start < text.length ? 0 : -1
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (base === 16 ? hexValue(code) < 0 : !isDigit(code)) return -1
    number = Math.min(number * base + hexValue(code), 0x110000)
  }
  return number
}

/** @source XML 1.0, production 2 (Char) */
function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d
  return code < 0xd800 || (code > 0xdfff && code < 0x110000 && code !== 0xfffe && code !== 0xffff)
}

const predefined: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])
