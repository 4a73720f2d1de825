import type { ClientRequest } from './client-request.ts'
import { joinedHeader } from './headers.ts'

/** The reason to refuse a request before its rules run. */
export interface RequestFault {
  readonly status: 400 | 405 | 408 | 413 | 421 | 429 | 431 | 501
  readonly reason: string
}

/**
 * Finds faults that node's strict parser accepts although RFC 9112 forbids them or asks for care.
 * @param headersMax header lines of one request
 */
export function findFault(request: ClientRequest, headersMax: number): RequestFault | undefined {
  if (request.headers.length > headersMax)
    return { status: 431, reason: 'the request has too many header lines' }
  // HTTP/0.9 has no headers, so a request with headers cannot be HTTP/0.9.
  if (request.version === 'HTTP/0.9') return bad('HTTP/0.9 is not supported')
  if (request.method === 'CONNECT') return connectFault(request)
  if (request.target.includes('#')) return bad('the request target has a fragment')
  if (request.uri !== '*' && !request.uri.startsWith('/')) return bad('the request target is not a path')
  if (request.uri === '*' && request.method !== 'OPTIONS') return bad('the request target * is for OPTIONS')
  return hostFault(request) ?? codingFault(request)
}

/** The edge is no tunnel, so it refuses well-formed CONNECT requests too. */
function connectFault(request: ClientRequest): RequestFault {
  if (/^[^/?#\s]+:\d+$/.test(request.target)) return { status: 405, reason: 'CONNECT is not supported' }
  return bad('the target of CONNECT is not host:port')
}

/** Characters of host names and IP literals; no percent escapes (RFC 9110 4.2.3 asks for care). */
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
 * node handles only the last transfer coding. A body with other codings would be inspected in its coded form, and would
 * reach the origin without its Transfer-Encoding. RFC 9112 6.1: 501; in HTTP/1.0 the framing is faulty.
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
