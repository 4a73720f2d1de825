import { hexValue, isAlphanumeric } from '../kit/ascii.ts'

/**
 * A path as URL normalisation shows it to expressions: percent-encoded unreserved bytes decoded and other escapes in
 * upper case (RFC 3986 6.2.2), `\` as `/`, runs of `/` merged, dot segments removed (RFC 3986 5.2.4).
 * @returns the same string when nothing changes. Linear. What does not begin with `/` or `\`, such as `*`, stays.
 */
export function normalizedPath(path: string): string {
  if (!path.startsWith('/') && !path.startsWith('\\')) return path
  if (!mayChange(path)) return path
  return withoutDotSegments(decodedUnreserved(path).replaceAll('\\', '/'))
}

/** Only these can: an escape, a backslash, two slashes, a segment that begins with a dot. */
function mayChange(path: string): boolean {
  let before = 0
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at)
    if (code === 0x25 || code === 0x5c) return true
    if (before === 0x2f && (code === 0x2f || code === 0x2e)) return true
    before = code
  }
  return false
}

/** Malformed escapes stay as they are. */
function decodedUnreserved(path: string): string {
  let result = ''
  let copied = 0
  for (let at = path.indexOf('%'); at >= 0; at = path.indexOf('%', at + 1)) {
    const high = hexValue(path.charCodeAt(at + 1))
    const low = hexValue(path.charCodeAt(at + 2))
    if (high < 0 || low < 0) continue
    const code = high * 16 + low
    const shown = isUnreserved(code) ? String.fromCharCode(code) : path.slice(at, at + 3).toUpperCase()
    result += path.slice(copied, at) + shown
    copied = at + 3
    // What follows is looked at afresh: a decoded byte never begins another escape.
    at += 2
  }
  return copied === 0 ? path : result + path.slice(copied)
}

/** RFC 3986 2.3 */
function isUnreserved(code: number): boolean {
  return isAlphanumeric(code) || code === 0x2d || code === 0x2e || code === 0x5f || code === 0x7e
}

function withoutDotSegments(path: string): string {
  const segments: string[] = []
  let closed = false
  for (const segment of path.split('/')) {
    // A path that ends in one of these ends in a slash.
    closed = segment === '' || segment === '.' || segment === '..'
    if (segment === '..') segments.pop()
    else if (!closed) segments.push(segment)
  }
  const joined = `/${segments.join('/')}`
  return closed && segments.length > 0 ? `${joined}/` : joined
}
