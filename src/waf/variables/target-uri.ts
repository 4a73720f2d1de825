import { hexValue } from '../../kit/ascii.ts'

/** The request target in the pieces that variables show. Byte strings. */
export interface TargetUri {
  /** REQUEST_FILENAME: the path, decoded and normalised as Apache does before it hands it over. */
  readonly path: string
  /** REQUEST_BASENAME */
  readonly basename: string
  /** QUERY_STRING: as sent, without `?` and without fragment. */
  readonly query: string
  /** REQUEST_URI: the path and, if there was one, `?` with the query as sent. */
  readonly uri: string
}

/** Takes `/a?b=c`, `http://host/a?b`, `*` or `host:443` apart. Linear. */
export function parseTarget(target: string): TargetUri {
  const hash = target.indexOf('#')
  const withoutFragment = hash < 0 ? target : target.slice(0, hash)
  const local = withoutAuthority(withoutFragment)
  const mark = local.indexOf('?')
  const rawPath = mark < 0 ? local : local.slice(0, mark)
  const query = mark < 0 ? '' : local.slice(mark + 1)
  const path = normalise(decode(rawPath))
  return { path, basename: basenameOf(path), query, uri: mark < 0 ? path : `${path}?${query}` }
}

/** `http://host/a` → `/a`; a target in origin form stays. */
function withoutAuthority(target: string): string {
  if (target.startsWith('/')) return target
  const scheme = target.indexOf('://')
  if (scheme < 0 || target.lastIndexOf('?', scheme) >= 0) return target
  for (let i = scheme + 3; i < target.length; i++) {
    if (target[i] === '/') return target.slice(i)
    if (target[i] === '?') return `/${target.slice(i)}`
  }
  return '/'
}

/** `%HH` only: in a path `+` is a plus. */
function decode(path: string): string {
  let percent = path.indexOf('%')
  if (percent < 0) return path
  let decoded = ''
  let copied = 0
  while (percent >= 0) {
    const high = hexValue(path.charCodeAt(percent + 1))
    const low = hexValue(path.charCodeAt(percent + 2))
    if (high >= 0 && low >= 0) {
      decoded += path.slice(copied, percent) + String.fromCharCode((high << 4) | low)
      copied = percent + 3
      percent = path.indexOf('%', copied)
    } else percent = path.indexOf('%', percent + 1)
  }
  return decoded + path.slice(copied)
}

/** Collapses slashes and resolves `.` and `..`; never climbs above the root. */
function normalise(path: string): string {
  if (!path.startsWith('/') || !(path.includes('//') || path.includes('/.'))) return path
  const kept: string[] = []
  const segments = path.split('/')
  const last = segments.at(-1)!
  for (const segment of segments) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  const isFolder = last === '' || last === '.' || last === '..'
  return kept.length === 0 ? '/' : `/${kept.join('/')}${isFolder ? '/' : ''}`
}

function basenameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
