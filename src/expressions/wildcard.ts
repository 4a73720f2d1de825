import { asciiLower } from '../kit/ascii.ts'

export type WildcardOutcome =
  | { readonly ok: true; readonly test: (value: string) => boolean }
  | { readonly ok: false; readonly message: string }

/**
 * Compiles a pattern in which `*` stands for any run of bytes and `\*`, `\\` for themselves; the whole value must match.
 * @param strict distinguishes ASCII case
 */
export function compileWildcard(pattern: string, strict: boolean): WildcardOutcome {
  const pieces: string[] = ['']
  for (let at = 0; at < pattern.length; at++) {
    let byte = pattern[at]!
    if (byte === '*') {
      if (pattern[at - 1] === '*' && pieces.at(-1) === '') {
        return { ok: false, message: 'wildcard contains a double star' }
      }
      pieces.push('')
      continue
    }
    if (byte === '\\') {
      byte = pattern[++at] ?? ''
      if (byte !== '*' && byte !== '\\')
        return { ok: false, message: 'invalid wildcard: bad escape sequence' }
    }
    pieces[pieces.length - 1] += byte
  }
  if (strict) return { ok: true, test: matcherOf(pieces) }
  const test = matcherOf(pieces.map(asciiLower))
  return { ok: true, test: value => test(asciiLower(value)) }
}

/** @param pieces literal texts between the stars */
function matcherOf(pieces: readonly string[]): (value: string) => boolean {
  const prefix = pieces[0]!
  if (pieces.length === 1) return value => value === prefix
  const suffix = pieces.at(-1)!
  const middle = pieces.slice(1, -1)
  return value => {
    const end = value.length - suffix.length
    if (end < prefix.length || !value.startsWith(prefix) || !value.endsWith(suffix)) return false
    let at = prefix.length
    for (const piece of middle) {
      const found = value.indexOf(piece, at)
      if (found < 0) return false
      at = found + piece.length
    }
    return at <= end
  }
}
