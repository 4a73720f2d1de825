import { hexValue } from '../../../kit/ascii.ts'
import { trimmed } from '../../../kit/blanks.ts'
import { fieldLimits } from '../../limits.ts'
import { addTo } from './header-values.ts'

/**
 * Cookies by their URL-decoded name, values verbatim; names that are equal after decoding are merged. A cookie
 * without `=` is a name with an empty value. From `fieldLimits.cookiesMax` on, the rest is one cookie.
 * @param text of all Cookie headers
 */
export function readCookies(text: string): ReadonlyMap<string, readonly string[]> {
  const map = new Map<string, string[]>()
  let count = 0
  for (let start = 0; start < text.length; ) {
    const semicolon = count === fieldLimits.cookiesMax - 1 ? -1 : text.indexOf(';', start)
    const end = semicolon < 0 ? text.length : semicolon
    const cookie = trimmed(text.slice(start, end))
    if (cookie !== '') {
      const equals = cookie.indexOf('=')
      const name = equals < 0 ? cookie : trimmed(cookie.slice(0, equals))
      addTo(map, percentDecoded(name), equals < 0 ? '' : trimmed(cookie.slice(equals + 1)))
      count++
    }
    start = end + 1
  }
  return map
}

/** Decodes `%HH` to bytes; malformed escapes and `+` are kept. The same string when there is none. Linear. */
function percentDecoded(text: string): string {
  let result = ''
  let copied = 0
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 1)) {
    const high = hexValue(text.charCodeAt(at + 1))
    const low = hexValue(text.charCodeAt(at + 2))
    if (high < 0 || low < 0) continue
    result += text.slice(copied, at) + String.fromCharCode(high * 16 + low)
    copied = at + 3
    at += 2
  }
  return copied === 0 ? text : result + text.slice(copied)
}
