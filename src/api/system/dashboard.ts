import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Dashboard, DashboardFile, Representation } from './dashboard-files.ts'

/** Also of its files: nothing of another site may load, embed or frame them. */
const headers = {
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const

const pageHeaders = {
  ...headers,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  vary: 'accept',
} as const

/**
 * Answers requests without a route with the dashboard: its files, and the page at every browser address outside the API,
 * so that the address of a screen can be opened and reloaded.
 * @returns undefined for other requests
 */
export function answerDashboard(
  { page, files }: Dashboard,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
  const path = request.url.split('?', 1)[0]!
  const file = files.get(path)
  if (file !== undefined) return sendFile(file, request, reply)
  return isPageAddress(path) && wantsPage(request) ? sendPage(page, reply) : undefined
}

/** The page with a nonce for the style tags of its components. Scripts have no nonce and load from files only. */
export function sendPage(page: string, reply: FastifyReply): FastifyReply {
  const nonce = randomBytes(18).toString('base64')
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return reply
    .headers({ ...pageHeaders, 'content-security-policy': policy })
    .send(page.replaceAll('__STYLE_NONCE__', nonce))
}

const reserved = /^\/(?:client|docs|assets|instant-logs|healthz|readyz|metrics)(?:\/|$)/

function isPageAddress(path: string): boolean {
  return !reserved.test(path) && !path.slice(path.lastIndexOf('/')).includes('.')
}

/** Browsers that open an address say so; programs that are at the wrong one get the API’s own 404. */
function wantsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true
}

function sendFile(
  file: DashboardFile,
  { headers: wants }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const encoding = bestEncoding(file, String(wants['accept-encoding'] ?? ''))
  const { bytes, etag } = encoding === undefined ? file.plain : (file[encoding] as Representation)
  reply.headers({
    ...headers,
    'content-type': file.type,
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    vary: 'accept-encoding',
    etag,
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
  })
  if (isKnown(wants['if-none-match'], etag)) return reply.code(304).send()
  return reply.code(200).send(bytes)
}

function bestEncoding(file: DashboardFile, accepted: string): 'br' | 'gzip' | undefined {
  for (const encoding of ['br', 'gzip'] as const)
    if (file[encoding] !== undefined && accepts(accepted, encoding)) return encoding
  return undefined
}

/** RFC 9110, 12.5.3; a weight of zero refuses. */
function accepts(header: string, encoding: string): boolean {
  return header.split(',').some(part => {
    const [name = '', ...parameters] = part.trim().toLowerCase().split(/ *; */)
    return (name === encoding || name === '*') && !parameters.some(one => /^q=0(?:\.0*)?$/.test(one))
  })
}

/** RFC 9110, 13.1.2: compared weakly. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some(one => [etag, '*'].includes(one.trim().replace(/^W\//, '')))
}
