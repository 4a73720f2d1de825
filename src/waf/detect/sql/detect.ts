import { fold } from './fold.ts'
import { isInjection } from './judge.ts'
import { isWordCode } from './scan.ts'
import type { Token } from './token.ts'
import type { Reading } from './tokens.ts'

const fingerprintLettersMax = 5

/**
 * SQL injection by the shape of its tokens.
 * @param value byte string (latin-1, one code unit a byte)
 * @returns the fingerprint of what was found, the types of its first tokens after folding (`s&1c`, at most five
 *   letters, listed in keywords.ts); null for anything else. Linear in the value; nothing is allocated for a token.
 */
export function detectSqli(value: string): string | null {
  if (isWord(value)) return null
  const single = value.includes("'")
  const double = value.includes('"')
  const running = (single || double) && mayRun(value)
  return (
    inContext(value, '', running) ??
    (single ? inContext(value, "'", running) : null) ??
    (double ? inContext(value, '"', running) : null)
  )
}

/** As standard SQL, then as MySQL where that reads it differently. */
function inContext(value: string, quote: Reading['quote'], running: boolean): string | null {
  const standard = fold(value, { mysql: false, quote }, !running)
  if (isInjection(value, standard.tokens, quote !== '')) return fingerprint(standard.tokens)
  if (!standard.ambiguous) return null
  const { tokens } = fold(value, { mysql: true, quote }, !running)
  return isInjection(value, tokens, quote !== '') ? fingerprint(tokens) : null
}

function fingerprint(tokens: readonly Token[]): string {
  return tokens
    .slice(0, fingerprintLettersMax)
    .map(token => token.type)
    .join('')
}

/** Letters, digits, `_`, `.` and bytes above ASCII alone cannot leave their place in a statement. */
function isWord(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (!isWordCode(code) ? code !== 0x2e && code !== 0xa0 : code === 0x24 || code === 0x5c) return false
  }
  return true
}

/** Could `/*!`, `waitfor`, `outfile` or `dumpfile`, which are injections anywhere, stand in the value? */
function mayRun(value: string): boolean {
  if (value.includes('/*!')) return true
  for (let at = 1; at < value.length; at++) {
    if ((value.charCodeAt(at) | 0x20) !== 0x66) continue
    const before = value.charCodeAt(at - 1) | 0x20
    const after = value.charCodeAt(at + 1) | 0x20
    if ((before === 0x74 && (after === 0x6f || after === 0x69)) || (before === 0x70 && after === 0x69))
      return true
  }
  return false
}
