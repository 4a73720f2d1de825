/** Addresses as text: a URL object would normalise them and remove attack patterns. */

/** The path without `.` and `..`, as curl and browsers send it (RFC 3986 5.2.4). */
export function withoutDotSegments(url: string): string {
  const match = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)([^?#]*)(.*)$/is.exec(url)
  if (match === null || !match[2]!.includes('/.')) return url
  const [, base, path = '', rest] = match
  const segments = path.split('/')
  const last = segments.at(-1)
  const kept: string[] = []
  for (const segment of segments.slice(1)) {
    if (segment === '..') kept.pop()
    else if (segment !== '.') kept.push(segment)
  }
  const tail = (last === '.' || last === '..') && kept.length > 0 ? '/' : ''
  return `${base}/${kept.join('/')}${tail}${rest}`
}

/** Scheme and host: `https://shop.example`; undefined without them. */
export function originOf(url: string): string | undefined {
  return /^https?:\/\/[^/?#\s]+/i.exec(url)?.[0]
}

/** Path and query of an address; `/` by default. */
export function targetOf(url: string): string {
  const origin = originOf(url) ?? ''
  const rest = url.slice(origin.length).split('#', 1)[0] ?? ''
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Host with port. */
export function hostOf(url: string): string {
  return (originOf(url) ?? '').replace(/^https?:\/\//i, '')
}
