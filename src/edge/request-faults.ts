import type { ClientRequest } from './client-request.ts'
import { joinedHeader } from './headers.ts'

/** Why a request is refused before any rule has a say. */
export interface RequestFault {
  readonly status: 400 | 405 | 408 | 413 | 431 | 501
  readonly reason: string
}

/**
 * What node's strict parser lets through although RFC 9112 does not, or only with care.
 * @param headersMax header lines of one request
 */
export function findFault(request: ClientRequest, headersMax: number): RequestFault | undefined {
  if (request.headers.length > headersMax)
    return { status: 431, reason: 'the request has too many header lines' }
  // What is said to be HTTP/0.9 and has headers is not: that version knows none.
  if (request.version === 'HTTP/0.9') return bad('HTTP/0.9 is not spoken here')
  if (request.method === 'CONNECT') return connectFault(request)
  if (request.target.includes('#')) return bad('the request target has a fragment')
  if (request.uri !== '*' && !request.uri.startsWith('/')) return bad('the request target is not a path')
  if (request.uri === '*' && request.method !== 'OPTIONS') return bad('the request target * is for OPTIONS')
  return hostFault(request) ?? codingFault(request)
}

/** Nothing behind the edge can be tunnelled to, well-formed or not. */
function connectFault(request: ClientRequest): RequestFault {
  if (/^[^/?#\s]+:\d+$/.test(request.target)) return { status: 405, reason: 'CONNECT is not possible here' }
  return bad('the target of CONNECT is not host:port')
}

/** Letters, digits and what else stands in names and IP literals; no percent escapes (RFC 9110 4.2.3 asks for care). */
const hostPattern = /^(?:[A-Za-z0-9._~!$&'()*+,;=-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{0,5})?$/

function hostFault(request: ClientRequest): RequestFault | undefined {
  let lines = 0
  for (const [name] of request.headers) if (name.length === 4 && name.toLowerCase() === 'host') lines++
  if (lines > 1) return bad('the request has more than one Host header')
  if (request.version === 'HTTP/1.0')
    return request.host === '' || hostPattern.test(request.host) ? undefined : badHost
  if (lines === 0) return bad('the request has no Host header')
  return hostPattern.test(request.host) ? undefined : badHost
}

/**
 * node takes the last transfer coding for all of them: what is coded otherwise would be inspected as it is and reach
 * the origin without a word about its coding. RFC 9112 6.1: 501; in HTTP/1.0 the framing is faulty.
 */
function codingFault(request: ClientRequest): RequestFault | undefined {
  const codings = joinedHeader(request.headers, 'transfer-encoding')
  if (codings === undefined) return undefined
  if (request.version === 'HTTP/1.0') return bad('HTTP/1.0 has no Transfer-Encoding')
  if (codings.toLowerCase() === 'chunked') return undefined
  return { status: 501, reason: 'the request has a transfer coding other than chunked' }
}

function bad(reason: string): RequestFault {
  return { status: 400, reason }
}

const badHost = bad('the Host header is not a host name')
