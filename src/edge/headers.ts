/** Header lines as they travel: names as sent, values as byte strings. */
export type HeaderLines = readonly (readonly [name: string, value: string])[]

/** The value of the first line with this name. @param lowerName in lower case */
export function firstHeader(headers: HeaderLines, lowerName: string): string | undefined {
  for (const [name, value] of headers) {
    if (name.length === lowerName.length && name.toLowerCase() === lowerName) return value
  }
  return undefined
}

/** Values of every line with this name, joined by commas (RFC 9110 5.2); undefined when there is none. */
export function joinedHeader(headers: HeaderLines, lowerName: string): string | undefined {
  let joined: string | undefined
  for (const [name, value] of headers) {
    if (name.length === lowerName.length && name.toLowerCase() === lowerName)
      joined = joined === undefined ? value : `${joined}, ${value}`
  }
  return joined
}

/** Pairs out of the flat list that node and undici use. */
export function headerLines(flat: readonly (string | Buffer)[]): [string, string][] {
  const lines = new Array<[string, string]>(flat.length >> 1)
  for (let at = 0; at + 1 < flat.length; at += 2) lines[at >> 1] = [latin1(flat[at]!), latin1(flat[at + 1]!)]
  return lines
}

/** The flat list that node's `writeHead` takes without looking at each line. */
export function flatHeaders(lines: HeaderLines): string[] {
  const flat = new Array<string>(lines.length * 2)
  let at = 0
  for (const [name, value] of lines) {
    flat[at++] = name
    flat[at++] = value
  }
  return flat
}

function latin1(text: string | Buffer): string {
  return typeof text === 'string' ? text : text.toString('latin1')
}

/** Headers that mean this connection only (RFC 9110 7.6.1), and those that proxies answer themselves. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** These are needed whatever `Connection` says: naming them there must not take them away. */
const endToEnd: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'content-type',
  'cookie',
  'authorization',
])

/** Says for a lower-case name whether the header stays on this connection. */
export function hopByHopTest(headers: HeaderLines): (lowerName: string) => boolean {
  const connection = joinedHeader(headers, 'connection')
  if (connection === undefined || /^(?:keep-alive|close|upgrade)$/i.test(connection))
    return name => hopByHop.has(name)
  const named = new Set(connection.split(',').map(token => token.trim().toLowerCase()))
  return name => hopByHop.has(name) || (named.has(name) && !endToEnd.has(name))
}

export interface Forwarding {
  /** As the client sent them: what its `Connection` names is among these, and never a header that a rule has set. */
  readonly received: HeaderLines
  /** Peer address in text form. */
  readonly peerIp: string
  readonly peerTrusted: boolean
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly rayId: string
  /** The origin's answer will be inspected, so it must not be compressed. */
  readonly identityEncoding: boolean
  /** An upgrade has no body, whatever it says. */
  readonly upgrade: boolean
}

/**
 * Headers for the origin, in undici's flat form. X-Forwarded-For is continued when a trusted proxy sent it; what
 * anybody else claims there is replaced, so that an origin can believe the whole header.
 */
export function requestHeadersForOrigin(headers: HeaderLines, forwarding: Forwarding): string[] {
  const drops = hopByHopTest(headers)
  const flat: string[] = ['host', forwarding.host]
  const { received } = forwarding
  for (const line of headers) {
    const [name, value] = line
    const lower = name.toLowerCase()
    if (lower === 'host' || lower === 'expect' || lower === 'ray-id') continue
    if (drops(lower) && (headers === received || received.includes(line))) continue
    if (lower === 'x-forwarded-for' || lower === 'x-forwarded-proto') continue
    if (lower === 'content-length' && forwarding.upgrade) continue
    if (lower === 'accept-encoding' && forwarding.identityEncoding) continue
    flat.push(name, value)
  }
  const before = forwarding.peerTrusted ? joinedHeader(headers, 'x-forwarded-for') : undefined
  flat.push(
    'x-forwarded-for',
    before === undefined || before === '' ? forwarding.peerIp : `${before}, ${forwarding.peerIp}`,
  )
  flat.push('x-forwarded-proto', forwarding.scheme, 'ray-id', forwarding.rayId)
  if (forwarding.identityEncoding) flat.push('accept-encoding', 'identity')
  return flat
}

/** The origin's headers for the client, with the Ray ID. */
export function responseHeadersForClient(headers: HeaderLines, rayId: string): [string, string][] {
  const drops = hopByHopTest(headers)
  const lines: [string, string][] = []
  for (const [name, value] of headers) {
    const lower = name.toLowerCase()
    if (lower !== 'ray-id' && !drops(lower)) lines.push([name, value])
  }
  lines.push(['Ray-ID', rayId])
  return lines
}
