/** Hop-by-hop headers (RFC 9110 7.6.1), and headers that control the framing and the routing of a message. */
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
  'cdn-loop',
  'expect',
  'host',
  'x-forwarded-for',
  'x-forwarded-proto',
])

/** RFC 9110 5.1: a token. */
const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/**
 * Whether a rule may set, add or remove this header. Not allowed are headers that the proxy controls, Cloudflare's
 * own `cf-…` headers, and invalid names.
 */
export function isChangeableHeader(name: string, side: 'request' | 'response'): boolean {
  const lower = name.toLowerCase()
  if (fixedOnBothSides.has(lower) || lower.startsWith('cf-') || !namePattern.test(name)) return false
  return side === 'response' || !fixedInRequests.has(lower)
}
