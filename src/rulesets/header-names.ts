/** Headers of one connection only (RFC 9110 7.6.1), and those that carry the framing and the way of a message. */
const fixedOnBothSides: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'ray-id',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const fixedInRequests: ReadonlySet<string> = new Set([
  'expect',
  'host',
  'x-forwarded-for',
  'x-forwarded-proto',
])

/** RFC 9110 5.1: a token. */
const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/**
 * May a rule set, add or remove this header? Not those that the proxy answers for itself, nor `cf-…`, which are
 * Cloudflare's own, nor what is no name of a header.
 */
export function isChangeableHeader(name: string, side: 'request' | 'response'): boolean {
  const lower = name.toLowerCase()
  if (fixedOnBothSides.has(lower) || lower.startsWith('cf-') || !namePattern.test(name)) return false
  return side === 'response' || !fixedInRequests.has(lower)
}
