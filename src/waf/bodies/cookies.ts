import { isSpace } from '../../kit/ascii.ts'
import { wafLimits } from '../limits.ts'
import type { Argument } from './body.ts'

/**
 * Cookies of one `Cookie` header, separated by `;` regardless of quotes. Blanks before a name are dropped; the value is
 * everything after the first `=`. A name without `=` has an empty value; empty pieces are ignored. Beyond the limit,
 * the rest is the value of one last cookie without a name.
 */
export function parseCookies(header: string): readonly Argument[] {
  const cookies: Argument[] = []
  for (let from = 0; from < header.length; ) {
    if (cookies.length === wafLimits.cookiesMax) {
      cookies.push({ name: '', value: header.slice(from) })
      break
    }
    const separator = header.indexOf(';', from)
    const end = separator < 0 ? header.length : separator
    while (from < end && isSpace(header.charCodeAt(from))) from++
    if (from < end) cookies.push(parseCookie(header.slice(from, end)))
    from = end + 1
  }
  return cookies
}

function parseCookie(piece: string): Argument {
  const equals = piece.indexOf('=')
  if (equals < 0) return { name: piece, value: '' }
  return { name: piece.slice(0, equals), value: piece.slice(equals + 1) }
}
