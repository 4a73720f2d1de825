import { hexValue, isDigit } from '../../../kit/ascii.ts'
import { finish, scratchWith } from '../../transformations/scratch.ts'
import { writeUtf8 } from '../utf8-write.ts'

export interface XmlText {
  readonly text: string
  /** Whether there is a `&` that begins no reference, or a reference to an entity that is not predefined. */
  readonly wrong: boolean
}

/**
 * Resolves numeric references (to UTF-8) and the five predefined entities. Any other entity is never expanded: it stays
 * unchanged, as does a lone `&`. One pass.
 * @param inText CR LF becomes LF
 */
export function resolveReferences(raw: string, inText: boolean): XmlText {
  // No reference is shorter than its bytes.
  const out = scratchWith(raw, 0)
  let length = 0
  let wrong = false
  for (let at = 0; at < raw.length; ) {
    const code = raw.charCodeAt(at)
    if (code === 0x0d && inText && raw.charCodeAt(at + 1) === 0x0a) at++
    else if (code !== AMPERSAND) {
      out[length++] = code
      at++
    } else {
      const end = referenceEnd(raw, at + 1)
      const character = raw.charCodeAt(end) === SEMICOLON ? characterOf(raw, at + 1, end) : -1
      if (character < 0) wrong = true
      length = writeUtf8(out, length, character < 0 ? AMPERSAND : character)
      at = character < 0 ? at + 1 : end + 1
    }
  }
  return { text: finish(out, length, raw), wrong }
}

/** End of a reference's name: the first byte that cannot be part of one. */
function referenceEnd(raw: string, start: number): number {
  let i = start
  while (i < raw.length && endsReference[raw.charCodeAt(i)] === 0) i++
  return i
}

/** The code point of the reference of this name, -1 for none. */
function characterOf(raw: string, start: number, end: number): number {
  if (raw.charCodeAt(start) !== 0x23) return predefined.get(raw.slice(start, end)) ?? -1
  const isHexadecimal = raw.charCodeAt(start + 1) === 0x78
  const code = isHexadecimal ? numberIn(raw, start + 2, end, 16) : numberIn(raw, start + 1, end, 10)
  return isXmlCharacter(code) ? code : -1
}

/** -1 if there is no number; at most 0x110000. */
function numberIn(raw: string, start: number, end: number, base: 10 | 16): number {
  let number = start < end ? 0 : -1
  for (let i = start; i < end; i++) {
    const code = raw.charCodeAt(i)
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

const AMPERSAND = 0x26
const SEMICOLON = 0x3b
const endsReference = new Uint8Array(256)
for (const character of '&;< \t\r\n') endsReference[character.charCodeAt(0)] = 1

const predefined: ReadonlyMap<string, number> = new Map([
  ['amp', AMPERSAND],
  ['lt', 0x3c],
  ['gt', 0x3e],
  ['quot', 0x22],
  ['apos', 0x27],
])
