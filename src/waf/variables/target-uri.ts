import { percentDecode } from '../transformations/url-decode.ts'

/**
 * The request target in the pieces of the variables. Byte strings.
 *
 * Apache decodes and normalises the path between phase 1 and phase 2: rules of phase 1 see `sent`, all others see
 * `normalised` (measured on mod_security2 2.9.7).
 */
export interface TargetUri {
  readonly sent: TargetPath
  readonly normalised: TargetPath
  /** QUERY_STRING: as sent, without `?` and without fragment. */
  readonly query: string
}

export interface TargetPath {
  /** REQUEST_FILENAME */
  readonly path: string
  /** REQUEST_BASENAME: the part after the last slash or backslash of the path. */
  readonly basename: string
  /** REQUEST_URI: the path and, if there was one, `?` with the query as sent. */
  readonly uri: string
}

/** Splits `/a?b=c`, `http://host/a?b`, `*` or `host:443`. Linear. */
export function parseTarget(target: string): TargetUri {
  const hash = target.indexOf('#')
  const withoutFragment = hash < 0 ? target : target.slice(0, hash)
  const local = withoutAuthority(withoutFragment)
  const mark = local.indexOf('?')
  const sentPath = mark < 0 ? local : local.slice(0, mark)
  const query = mark < 0 ? '' : local.slice(mark + 1)
  const search = mark < 0 ? '' : `?${query}`
  const sent = pathOf(sentPath, search)
  const path = normalise(percentDecode(sentPath))
  return { sent, normalised: path === sentPath ? sent : pathOf(path, search), query }
}

function pathOf(path: string, search: string): TargetPath {
  return { path, basename: basenameOf(path), uri: path + search }
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
