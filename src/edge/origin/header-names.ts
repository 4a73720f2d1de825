import { headerNameLimits } from '../limits.ts'
import { connectionFields } from '../message/connection-fields.ts'
import { type HeaderOwner, ownerOf } from './forwarding-headers.ts'

/** A header name, as the edge passes its lines on. */
export interface HeaderName {
  readonly lower: string
  /** The line is for one connection. */
  readonly hopByHop: boolean
  readonly owner: HeaderOwner
}

/** Headers for a single connection (RFC 9110 7.6.1), and headers that proxies answer themselves. */
export const hopByHop: ReadonlySet<string> = new Set([
  ...connectionFields,
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
])

/** Names as sent, because few names repeat in every message and `ownerOf` runs several patterns. */
const known = new Map<string, HeaderName>()

/** @param name as sent */
export function headerName(name: string): HeaderName {
  let found = known.get(name)
  if (found === undefined) {
    const lower = name.toLowerCase()
    found = { lower, hopByHop: hopByHop.has(lower), owner: ownerOf(lower) }
    if (name.length > headerNameLimits.rememberedCharactersMax) return found
    if (known.size >= headerNameLimits.namesKept) known.clear()
    known.set(name, found)
  }
  return found
}
