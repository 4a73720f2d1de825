import { trimmed } from '../../kit/blanks.ts'
import type { RedirectEffect } from '../../rulesets/plan.ts'
import type { RequestView } from '../../rulesets/request-view.ts'

/**
 * Where a rule sends the client: a path or an http(s) URL in visible ASCII. Undefined when its target is none; then
 * the rule does nothing. The query of the request is not added to a target that has its own.
 * @param bytesMax longer targets are none
 */
export function locationOf(
  { target, preserveQuery }: RedirectEffect,
  view: RequestView,
  bytesMax: number,
): string | undefined {
  const text = target(view)
  if (text === undefined || text.length > bytesMax) return undefined
  const location = visibleAscii(trimmed(text))
  if (!startsLikeUrl(location)) return undefined
  const whole = preserveQuery ? withQuery(location, visibleAscii(view.query)) : location
  return whole.length > bytesMax ? undefined : whole
}

/** A byte string as it may stand in a URI: other bytes escaped. */
export function visibleAscii(bytes: string): string {
  return bytes.replace(/[^\x21-\x7e]/g, byte => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

/**
 * What begins with two slashes names another host (RFC 3986 4.2), and browsers take a backslash for a slash: a client
 * whose path becomes part of a target must not choose the host.
 */
function startsLikeUrl(location: string): boolean {
  if (location.startsWith('/')) return location[1] !== '/' && location[1] !== '\\'
  const scheme = /^https?:\/\/[^/?#\\]/i.exec(location)
  return scheme !== null
}

/** Before the fragment, if there is one. */
function withQuery(location: string, query: string): string {
  if (query === '') return location
  const hash = location.indexOf('#')
  const before = hash < 0 ? location : location.slice(0, hash)
  return before.includes('?') ? location : `${before}?${query}${location.slice(before.length)}`
}
