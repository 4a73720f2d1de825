import { trimmed } from '../../kit/blanks.ts'
import type { RequestView } from '../../rulesets/fields/request-view.ts'
import type { ListedRedirectEffect, RedirectEffect } from '../../rulesets/plan/plan.ts'
import { requireShort } from '../exchange/rewritten-text.ts'

/**
 * The redirect target of a rule: a path or an http(s) URL in visible ASCII. Undefined when the rule computes something
 * else, and then the rule has no effect. A target with a query keeps it instead of the request's query.
 * @throws WorkExceededError when the target has more than `bytesMax` bytes
 */
export function locationOf(
  { target, preserveQuery }: RedirectEffect,
  view: RequestView,
  bytesMax: number,
): string | undefined {
  const text = target(view)
  if (text === undefined) return undefined
  requireShort(text, bytesMax)
  const location = visibleAscii(trimmed(text))
  if (!startsLikeUrl(location)) return undefined
  const whole = preserveQuery ? withQuery(location, visibleAscii(view.query)) : location
  requireShort(whole, bytesMax)
  return whole
}

/**
 * The redirect of a list for this request. Undefined when the list has none, or the key has no value.
 * @throws WorkExceededError when the target has more than `bytesMax` bytes
 */
export function listedRedirect(
  { key, list }: ListedRedirectEffect,
  view: RequestView,
  bytesMax: number,
): { readonly status: number; readonly location: string } | undefined {
  const url = key(view)
  const found = url === undefined ? undefined : list.find(url)
  if (found === undefined) return undefined
  const target = visibleAscii(found.target)
  const location = found.preserveQuery ? withQuery(target, visibleAscii(view.query)) : target
  requireShort(location, bytesMax)
  return { status: found.status, location }
}

/** Percent-encodes the bytes that a URI cannot hold. */
export function visibleAscii(bytes: string): string {
  return bytes.replace(/[^\x21-\x7e]/g, byte => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

/**
 * A target that begins with two slashes names another host (RFC 3986 4.2), and browsers read a backslash as a slash. A
 * client whose path becomes part of a target must not choose the host.
 */
function startsLikeUrl(location: string): boolean {
  if (location.startsWith('/')) return location[1] !== '/' && location[1] !== '\\'
  const scheme = /^https?:\/\/[^/?#\\]/i.exec(location)
  return scheme !== null
}

/** Inserts the query before the fragment, if there is one. */
function withQuery(location: string, query: string): string {
  if (query === '') return location
  const hash = location.indexOf('#')
  const before = hash < 0 ? location : location.slice(0, hash)
  return before.includes('?') ? location : `${before}?${query}${location.slice(before.length)}`
}
