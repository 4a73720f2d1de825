import { isUrlByte, withUniformEscapes } from '../../kit/url-escapes.ts'
import type { UrlNormalization } from '../../model/zone-settings.ts'
import { percentDecoded } from './parsing/percent-decoded.ts'

/**
 * The path after URL normalisation: percent-encoded unreserved bytes decoded and other escapes in upper case (RFC
 * 3986 6.2.2), bytes that URLs must not contain percent-encoded, dot segments removed (RFC 3986 5.2.4). The type
 * `cloudflare` first replaces `\\` with `/` and merges runs of `/`.
 * @returns the same string when nothing changes. Linear. Targets that do not begin with `/` or `\\`, such as `*`, are
 *   unchanged.
 * @source Cloudflare docs, how URL normalization works
 */
export function normalizedPath(path: string, type: UrlNormalization['type']): string {
  if (!path.startsWith('/') && !path.startsWith('\\')) return path
  if (!mayChange(path)) return path
  if (type === 'rfc3986') return withoutDotSegments(withUniformEscapes(path))
  return withoutDotSegments(withUniformEscapes(path.replaceAll('\\', '/').replaceAll(/\/{2,}/g, '/')))
}

/**
 * A path as rules see it, and as an origin reads it that decodes all escapes before it resolves dot segments, as nginx
 * does. A protected path must be found in both; mostly they are one.
 */
export function pathReadings(path: string): readonly string[] {
  const decoded = normalizedPath(percentDecoded(path), 'cloudflare')
  return decoded === path ? [path] : [path, decoded]
}

/**
 * Only these need a change: an escape, a byte that URLs must not contain, two slashes, a segment that begins with a
 * dot.
 */
function mayChange(path: string): boolean {
  let before = 0
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at)
    if (code === 0x25 || !isUrlByte(code)) return true
    if (before === 0x2f && (code === 0x2f || code === 0x2e)) return true
    before = code
  }
  return false
}

/** @param path begins with `/` */
function withoutDotSegments(path: string): string {
  const kept: string[] = []
  const segments = path.split('/')
  for (let at = 1; at < segments.length; at++) {
    const segment = segments[at]!
    const isDots = segment === '.' || segment === '..'
    if (segment === '..') kept.pop()
    if (!isDots) kept.push(segment)
    // A path that ends in a dot segment ends in a slash.
    else if (at === segments.length - 1) kept.push('')
  }
  return `/${kept.join('/')}`
}
