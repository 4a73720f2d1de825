import { redactionLimits } from '../../../kit/limits.ts'
import { digitsAt, hexByte, percent } from './escapes.ts'
import { redacted } from './redacted.ts'

/**
 * Where a text comes from: `uri` is a request target or a part of one; `query` begins with the name of a parameter, or is
 * one whole URL; `text` may have URLs and parameters anywhere.
 */
export type Source = 'uri' | 'query' | 'text'

/**
 * Takes out the values of parameters with these names. A name begins after `?`, `&`, `;` or `#` and ends at `=`, each of
 * them plain or percent-encoded, however often, as in a URL within a parameter; a value ends at `&` or `#`. One pass, and
 * less than that over a text without `=`.
 * @param names see `PlanRedaction.parameters`
 * @returns the same string when nothing changed
 */
export function redactParameters(text: string, names: ReadonlySet<string>, source: Source): string {
  if (!text.includes('=') && !text.includes('%')) return text
  let kept = ''
  let copied = 0
  let inPath = source === 'uri'
  let nameAt = inPath ? -1 : 0
  for (let at = 0; at < text.length; at++) {
    let code = text.charCodeAt(at)
    const start = at
    if (code === percent) {
      const digits = digitsAt(text, at)
      if (digits < 0) continue
      code = hexByte(text, digits)
      at = digits + 1
    }
    const encoded = at > start
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
      case tab:
      case comma:
      case quote:
      case parenthesis:
        if (source === 'text' && !encoded) nameAt = at + 1
        break
      case equals: {
        if (nameAt < 0) break
        if (isNamed(text, nameAt, start, names)) {
          const end = valueEnd(text, at + 1, at - start, inPath, source)
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

const tab = 0x09
const space = 0x20
const quote = 0x22
const hash = 0x23
const ampersand = 0x26
const parenthesis = 0x28
const comma = 0x2c
const slash = 0x2f
const semicolon = 0x3b
const less = 0x3c
const equals = 0x3d
const greater = 0x3e
const question = 0x3f

/**
 * A parameter of a path (`;jsessionid=`) ends with its segment, a URL within a text where none goes on. What is encoded
 * more often than the `=` before the value belongs to the value.
 * @param depth how many characters the `=` has beyond one
 */
function valueEnd(text: string, from: number, depth: number, inPath: boolean, source: Source): number {
  const first = text.charCodeAt(from)
  if (source === 'text' && (first === quote || first === less)) {
    const end = text.indexOf(first === quote ? '"' : '>', from + 1)
    return end < 0 ? text.length : end + 1
  }
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === ampersand || code === hash) return at
    if (inPath && (code === question || code === slash || code === semicolon)) return at
    if (source === 'text' && endsInText(code)) return at
    if (depth === 0 || code !== percent) continue
    const digits = digitsAt(text, at)
    if (digits < 0) continue
    const byte = hexByte(text, digits)
    if ((byte === ampersand || byte === hash) && digits + 1 - at <= depth) return at
    at = digits + 1
  }
  return text.length
}

function endsInText(code: number): boolean {
  return code === space || code === tab || code === quote || code === less || code === greater
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

/** Is a header named like a credential, by itself or behind whose it is, as in `x-vault-token`? */
export function isCredentialHeader(lowerName: string, names: ReadonlySet<string>): boolean {
  if (lowerName.length > nameCharactersMax) return false
  for (let from = 0; from >= 0; ) {
    if (isKnown(lowerName.slice(from), names)) return true
    const hyphen = lowerName.indexOf('-', from)
    from = hyphen < 0 ? -1 : hyphen + 1
  }
  return false
}

/** @param name in lower case */
export function isKnown(name: string, names: ReadonlySet<string>): boolean {
  if (names.has(name)) return true
  if (!name.includes('-') && !name.includes('_')) return false
  return names.has(name.replaceAll('-', '').replaceAll('_', ''))
}

/** As whoever reads it last may see it: decoded until nothing is encoded any more. */
function decoded(name: string): string {
  if (!name.includes('%') && !name.includes('+')) return name
  let text = ''
  for (let at = 0; at < name.length; at++) {
    const digits = name.charCodeAt(at) === percent ? digitsAt(name, at) : -1
    if (digits >= 0) {
      text += String.fromCharCode(hexByte(name, digits))
      at = digits + 1
    } else text += name[at] === '+' ? ' ' : name[at]
  }
  return text
}
