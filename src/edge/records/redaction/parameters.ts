import { hexValue } from '../../../kit/ascii.ts'
import { redactionLimits } from '../../../kit/limits.ts'
import { redacted } from './redacted.ts'

/**
 * Where a text comes from: `uri` is a request target or a part of one, `query` begins with the name of a parameter, `text`
 * may have URLs and parameters anywhere.
 */
export type Source = 'uri' | 'query' | 'text'

/**
 * Takes out the values of parameters with these names. A name begins after `?`, `&`, `;` or `#` and ends at `=`, each of
 * them plain or percent-encoded as in a URL within a parameter; a value ends at `&` or `#`. One pass, and less than that over
 * a text without `=`.
 * @param names see `PlanRedaction.parameters`
 * @returns the same string when nothing changed
 */
export function redactParameters(text: string, names: ReadonlySet<string>, source: Source): string {
  if (!text.includes('=') && !text.includes('%3')) return text
  let kept = ''
  let copied = 0
  let inPath = source === 'uri'
  let nameAt = inPath ? -1 : 0
  for (let at = 0; at < text.length; at++) {
    let code = text.charCodeAt(at)
    const start = at
    const encoded = code === percent
    if (encoded) {
      code = byteAt(text, at)
      if (code < 0) continue
      at += 2
    }
    switch (code) {
      case question:
        if (!encoded) inPath = false
        nameAt = at + 1
        break
      case ampersand:
      case semicolon:
      case hash:
        nameAt = at + 1
        break
      case space:
        if (source === 'text' && !encoded) nameAt = at + 1
        break
      case equals: {
        if (nameAt < 0) break
        if (isNamed(text, nameAt, start, names)) {
          const end = valueEnd(text, at + 1, encoded, inPath, source)
          if (end > at + 1) {
            kept += text.slice(copied, at + 1) + redacted
            copied = end
          }
          at = end - 1
        }
        nameAt = -1
      }
    }
  }
  return copied === 0 ? text : kept + text.slice(copied)
}

const space = 0x20
const quote = 0x22
const hash = 0x23
const percent = 0x25
const ampersand = 0x26
const slash = 0x2f
const semicolon = 0x3b
const less = 0x3c
const equals = 0x3d
const greater = 0x3e
const question = 0x3f

/** Of a percent-encoded byte; -1 when there is none. */
function byteAt(text: string, at: number): number {
  const high = hexValue(text.charCodeAt(at + 1))
  const low = hexValue(text.charCodeAt(at + 2))
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

/** A parameter of a path (`;jsessionid=`) ends with its segment, a URL within a text where none goes on. */
function valueEnd(text: string, from: number, encoded: boolean, inPath: boolean, source: Source): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === ampersand || code === hash) return at
    if (inPath && (code === question || code === slash || code === semicolon)) return at
    if (source === 'text' && (code === space || code === quote || code === less || code === greater))
      return at
    if (encoded && code === percent) {
      const byte = byteAt(text, at)
      if (byte === ampersand || byte === hash) return at
    }
  }
  return text.length
}

/** Longer ones are no names; each character may be percent-encoded. */
const nameCharactersMax = 3 * redactionLimits.parameterCharactersMax

/** Is this part of a text such a name? In `user[password]` and `user.password` each part is one too. */
export function isNamed(text: string, from: number, to: number, names: ReadonlySet<string>): boolean {
  if (to === from || to - from > nameCharactersMax) return false
  const name = decoded(text.slice(from, to)).trim().toLowerCase()
  if (isKnown(name, names)) return true
  if (!name.includes('[') && !name.includes('.')) return false
  const parts = name.replaceAll(']', '').replaceAll('[', '.').split('.')
  return parts.some(part => isKnown(part, names))
}

/** @param name in lower case */
export function isKnown(name: string, names: ReadonlySet<string>): boolean {
  if (names.has(name)) return true
  if (!name.includes('-') && !name.includes('_')) return false
  return names.has(name.replaceAll('-', '').replaceAll('_', ''))
}

function decoded(name: string): string {
  if (!name.includes('%') && !name.includes('+')) return name
  let text = ''
  for (let at = 0; at < name.length; at++) {
    const byte = name.charCodeAt(at) === percent ? byteAt(name, at) : -1
    if (byte >= 0) at += 2
    text += byte >= 0 ? String.fromCharCode(byte) : name[at] === '+' ? ' ' : name[at]
  }
  return text
}
