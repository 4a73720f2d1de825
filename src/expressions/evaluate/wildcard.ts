import { asciiLower, lowerCode } from '../../kit/ascii.ts'
import { expressionLimits } from '../limits.ts'
import { findText } from './find-text.ts'

export type WildcardOutcome<T> =
  | ({ readonly ok: true } & T)
  | { readonly ok: false; readonly message: string }

/**
 * Splits a pattern in which `*` stands for any run of bytes and `\*`, `\\` for themselves.
 * @returns the literal texts between the stars; they may be empty
 */
export function wildcardPieces(pattern: string): WildcardOutcome<{ readonly pieces: readonly string[] }> {
  const pieces: string[] = ['']
  let starBefore = false
  for (let at = 0; at < pattern.length; at++) {
    const byte = pattern[at]!
    if (byte === '*') {
      if (starBefore) return { ok: false, message: 'wildcard contains a double star' }
      pieces.push('')
    } else {
      const meant = byte === '\\' ? pattern[++at] : byte
      if (byte === '\\' && meant !== '*' && meant !== '\\') {
        return { ok: false, message: 'invalid wildcard: bad escape sequence' }
      }
      pieces[pieces.length - 1] += meant!
    }
    starBefore = byte === '*'
  }
  const stars = pieces.length - 1
  const most = expressionLimits.wildcardStarsMax
  if (stars <= most) return { ok: true, pieces }
  return { ok: false, message: `wildcard has ${stars} star metacharacters, but the limit is ${most}` }
}

/**
 * Compiles a pattern; the whole value must match.
 * @param strict distinguishes ASCII case
 */
export function compileWildcard(
  pattern: string,
  strict: boolean,
): WildcardOutcome<{ readonly test: (value: string) => boolean }> {
  const outcome = wildcardPieces(pattern)
  if (!outcome.ok) return outcome
  const { pieces } = outcome
  return { ok: true, test: strict ? strictMatcher(pieces) : foldingMatcher(pieces.map(asciiLower)) }
}

function strictMatcher(pieces: readonly string[]): (value: string) => boolean {
  const prefix = pieces[0]!
  if (pieces.length === 1) return value => value === prefix
  const suffix = pieces.at(-1)!
  const middle = pieces.slice(1, -1)
  return value => {
    const end = value.length - suffix.length
    if (end < prefix.length || !value.startsWith(prefix) || !value.endsWith(suffix)) return false
    return hasInOrder(value, middle, prefix.length, end)
  }
}

/** Copies only the part between the first and the last star to lower case, if there is one. */
function foldingMatcher(pieces: readonly string[]): (value: string) => boolean {
  const prefix = pieces[0]!
  if (pieces.length === 1) return value => value.length === prefix.length && isAt(value, prefix, 0)
  const suffix = pieces.at(-1)!
  const middle = pieces.slice(1, -1)
  return value => {
    const end = value.length - suffix.length
    if (end < prefix.length || !isAt(value, prefix, 0) || !isAt(value, suffix, end)) return false
    return middle.length === 0 || hasInOrder(asciiLower(value), middle, prefix.length, end)
  }
}

/** Whether the value has a lower-case text at a position, in any ASCII case. */
function isAt(value: string, text: string, at: number): boolean {
  for (let i = 0; i < text.length; i++) {
    if (lowerCode(value.charCodeAt(at + i)) !== text.charCodeAt(i)) return false
  }
  return true
}

function hasInOrder(value: string, texts: readonly string[], from: number, end: number): boolean {
  let at = from
  for (const text of texts) {
    const found = findText(value, text, at)
    if (found < 0) return false
    at = found + text.length
  }
  return at <= end
}
