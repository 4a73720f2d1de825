import { type HeaderLines, joinedHeader } from '../message/headers.ts'
import { type ForwardingFacts, forwardingHeaders, isFromProxy, removeOwn } from './forwarding-headers.ts'
import { headerName, hopByHop } from './header-names.ts'

/** A client must not remove these headers by naming them in `Connection`. */
const endToEnd: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'content-type',
  'cookie',
  'authorization',
])

/** @returns lower-case names of further headers that stay on this connection, because `Connection` names them */
function namedByConnection(headers: HeaderLines): ReadonlySet<string> | undefined {
  const connection = joinedHeader(headers, 'connection')
  if (connection === undefined || /^(?:keep-alive|close|upgrade)$/i.test(connection)) return undefined
  const named = new Set(connection.split(',').map(token => token.trim().toLowerCase()))
  for (const name of endToEnd) named.delete(name)
  return named
}

export interface Forwarding {
  /** Header lines as the client sent them. Its `Connection` applies to these, never to headers that a rule has set. */
  readonly received: HeaderLines
  readonly facts: ForwardingFacts
  /** Host header for the origin. */
  readonly host: string
  /** Value of CDN-Loop. */
  readonly cdnLoop: string
  /** Rules inspect the origin's response, so it must not be compressed. */
  readonly identityEncoding: boolean
  /** The request is an upgrade, which has no body even when it announces one. */
  readonly upgrade: boolean
  /** Replaces the context of the client (W3C Trace Context); undefined: the client's passes. */
  readonly traceContext: HeaderLines | undefined
}

/**
 * Headers for the origin, in undici's flat form. The edge sets the headers that describe the client, so that an origin
 * can trust them; see `forwardingHeaders`.
 */
export function requestHeadersForOrigin(headers: HeaderLines, forwarding: Forwarding): string[] {
  const named = namedByConnection(headers)
  const flat: string[] = ['host', forwarding.host]
  const { received, facts, traceContext } = forwarding
  const own = forwardingHeaders(facts)
  // Trailers are forwarded; a hop that accepts them tells the next hop (RFC 9110 10.1.4).
  if (takesTrailers(received)) flat.push('te', 'trailers')
  for (const line of headers) {
    const [name, value] = line
    const { lower, owner, hopByHop } = headerName(name)
    if (lower === 'host' || lower === 'expect' || lower === 'cdn-loop') continue
    const dropped = hopByHop || named?.has(lower) === true
    if (dropped || owner !== 'client') {
      const sent = headers === received || received.includes(line)
      if (sent && (dropped || !isFromProxy(lower, owner, own, facts))) continue
      removeOwn(own, lower)
    }
    if (lower === 'content-length' && forwarding.upgrade) continue
    if (lower === 'accept-encoding' && forwarding.identityEncoding) continue
    if (traceContext !== undefined && (lower === 'traceparent' || lower === 'tracestate')) continue
    flat.push(name, value)
  }
  for (const [name, value] of own) flat.push(name, value)
  if (traceContext !== undefined) for (const [name, value] of traceContext) flat.push(name, value)
  flat.push('cdn-loop', forwarding.cdnLoop)
  if (forwarding.identityEncoding) flat.push('accept-encoding', 'identity')
  return flat
}

function takesTrailers(received: HeaderLines): boolean {
  const codings = joinedHeader(received, 'te')
  return codings !== undefined && /(?:^|,)\s*trailers\s*(?:,|$)/i.test(codings)
}

/** The status whose response has neither a body nor a length (RFC 9110 8.6). */
export const noContent = 204

/** The status whose response has no body, and may announce the length of the one that did not change (RFC 9110 8.6). */
export const notModified = 304

/** The status whose response must not have a body, and still announces its length (RFC 9110 15.3.6). */
export const resetContent = 205

/** The origin's headers for the client, with the Ray ID. */
export function responseHeadersForClient(
  headers: HeaderLines,
  rayId: string,
  status: number,
): HeaderLines[number][] {
  let lines = informationForClient(headers)
  if (status === noContent || status === resetContent)
    lines = lines.filter(([name]) => name.toLowerCase() !== 'content-length')
  if (status === resetContent) lines.push(['Content-Length', '0'])
  lines.push(['Ray-ID', rayId])
  return lines
}

/** The headers of an origin's interim response, for the client. */
export function informationForClient(headers: HeaderLines): HeaderLines[number][] {
  const named = namedByConnection(headers)
  const lines: HeaderLines[number][] = []
  for (const line of headers) {
    const { lower, hopByHop } = headerName(line[0])
    if (lower !== 'ray-id' && !hopByHop && named?.has(lower) !== true) lines.push(line)
  }
  return lines
}

/** Fields for framing, routing or body encoding have no meaning after the body (RFC 9110 6.5.1). */
const neverTrailers: ReadonlySet<string> = new Set([
  ...hopByHop,
  'authorization',
  'cache-control',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'host',
  'ray-id',
  'set-cookie',
])

/** An origin's trailers for the client. */
export function trailersForClient(trailers: HeaderLines): HeaderLines {
  return trailers.filter(([name]) => !neverTrailers.has(name.toLowerCase()))
}
