import { trimmed } from '../../../kit/blanks.ts'
import { fieldLimits } from '../../limits.ts'
import { addTo } from './header-values.ts'
import { percentDecoded } from './percent-decoded.ts'

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
