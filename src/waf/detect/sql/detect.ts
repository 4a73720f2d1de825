import { isAlphanumeric } from '../../../kit/ascii.ts'
import { fold } from './fold.ts'
import { isInjection } from './judge.ts'
import type { Reading } from './tokens.ts'

const fingerprintLettersMax = 5

/**
 * SQL injection by the shape of its tokens.
 * @param value byte string (latin-1, one code unit a byte)
 * @returns the fingerprint of what was found, the types of its first tokens after folding (`s&1c`, at most five
 *   letters, listed in keywords.ts); null for anything else. Linear in the value.
 */
export function detectSqli(value: string): string | null {
  if (isWord(value)) return null
  return (
    inContext(value, '') ??
    (value.includes("'") ? inContext(value, "'") : null) ??
    (value.includes('"') ? inContext(value, '"') : null)
  )
}

/** As standard SQL, then as MySQL where that reads it differently. */
function inContext(value: string, quote: Reading['quote']): string | null {
  for (const mysql of [false, true]) {
    const { tokens, ambiguous } = fold(value, { mysql, quote })
    if (isInjection({ value, tokens, quoted: quote !== '' })) {
      return tokens
        .slice(0, fingerprintLettersMax)
        .map(token => token.type)
        .join('')
    }
    if (!ambiguous) break
  }
  return null
}

/** Letters, digits, `_`, `.` and bytes above ASCII alone cannot leave their place in a statement. */
function isWord(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (!isAlphanumeric(code) && code !== 0x5f && code !== 0x2e && code < 0x80) return false
  }
  return true
}
