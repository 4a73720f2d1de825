import { redactionLimits } from '../../../model/limits.ts'
import { digitsAt, hexByte, percent } from './escapes.ts'
import { redacted } from './redacted.ts'

/**
 * The origin of a text. `uri` is a request target or a part of one. `query` begins with a parameter name or is one whole URL.
 * `text` may contain URLs and parameters anywhere. `value` is the value of a parameter, which may contain a URL, but no
 * other parameters.
 */
export type Source = 'uri' | 'query' | 'text' | 'value'

/**
 * Redacts the values of parameters with these names. A name begins after `?`, `&`, `;` or `#` and ends at `=`. Each of
 * these may be percent-encoded repeatedly, as in a URL within a parameter. A value ends at `&` or `#`. One pass; a text
 * without `=` and `%` is not scanned.
 * @param names see `PlanRedaction.parameters`
 * @returns the same string when nothing changed
 */
export function redactParameters(text: string, names: ReadonlySet<string>, source: Source): string {
  if (!text.includes('=') && !text.includes('%')) return text
  let kept = ''
  let copied = 0
  let inPath = source === 'uri'
  let nameAt = inPath || source === 'value' ? -1 : 0
  /** The name may be a word of a sentence. */
  let isWord = false
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
      case questionMark:
        if (!encoded) inPath = false
        nameAt = at + 1
        isWord = false
        break
      case ampersand:
      case semicolon:
      case hash:
        nameAt = at + 1
        isWord = false
        break
      case space:
      case tab:
      case comma:
      case quote:
      case parenthesis:
        if (source !== 'text' || encoded) break
        nameAt = at + 1
        isWord = true
        break
      case equals: {
        if (nameAt < 0) break
        if (isNamed(text, nameAt, start, names, isWord)) {
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
const questionMark = 0x3f

/**
 * A path parameter (`;jsessionid=`) ends with its segment. In a text, a value ends at the first character that no URL contains.
 * Delimiters that are encoded more often than the `=` before the value belong to the value.
 * @param depth number of characters of the `=`, minus one
 */
function valueEnd(text: string, from: number, depth: number, inPath: boolean, source: Source): number {
  const first = text.charCodeAt(from)
  if (endsAtBlanks(source) && (first === quote || first === less)) {
    const end = text.indexOf(first === quote ? '"' : '>', from + 1)
    return end < 0 ? text.length : end + 1
  }
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === ampersand || code === hash) return at
    if (inPath && (code === questionMark || code === slash || code === semicolon)) return at
    if (endsAtBlanks(source) && endsInText(code)) return at
    if (depth === 0 || code !== percent) continue
    const digits = digitsAt(text, at)
    if (digits < 0) continue
    const byte = hexByte(text, digits)
    if ((byte === ampersand || byte === hash) && digits + 1 - at <= depth) return at
    at = digits + 1
  }
  return text.length
}

function endsAtBlanks(source: Source): boolean {
  return source === 'text' || source === 'value'
}

function endsInText(code: number): boolean {
  return code === space || code === tab || code === quote || code === less || code === greater
}

/** The longest name; each character may be percent-encoded. */
const longestName = 3 * redactionLimits.parameterCharactersMax

/**
 * @returns whether this part of a text is one of the names; in `user[password]` and `user.password`, each part counts
 * @param isWord the name is a word of a sentence: only its part after the last dot counts, so `session.referer_check` is no
 *   session
 */
export function isNamed(
  text: string,
  from: number,
  to: number,
  names: ReadonlySet<string>,
  isWord = false,
): boolean {
  if (to === from || to - from > longestName) return false
  const name = decoded(text.slice(from, to)).trim().toLowerCase()
  if (isKnown(name, names)) return true
  if (!name.includes('[') && !name.includes('.')) return false
  if (isWord && !name.includes('[')) return isKnown(name.slice(name.lastIndexOf('.') + 1), names)
  const parts = name.replaceAll(']', '').replaceAll('[', '.').split('.')
  return parts.some(part => isKnown(part, names))
}

/** @returns whether a header is named like a credential, also with a prefix, as in `x-vault-token` */
export function isCredentialHeader(lowerName: string, names: ReadonlySet<string>): boolean {
  if (lowerName.length > longestName) return false
  for (let from = 0; from >= 0; ) {
    if (isKnown(lowerName.slice(from), names)) return true
    const hyphen = lowerName.indexOf('-', from)
    from = hyphen < 0 ? -1 : hyphen + 1
  }
  return false
}

/** @param name in lower case */
function isKnown(name: string, names: ReadonlySet<string>): boolean {
  if (names.has(name)) return true
  if (!name.includes('-') && !name.includes('_')) return false
  return names.has(name.replaceAll('-', '').replaceAll('_', ''))
}

/** Decodes a name repeatedly, as its last reader may do. */
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
