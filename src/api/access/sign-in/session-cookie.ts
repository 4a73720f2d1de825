import type { FastifyReply, FastifyRequest } from 'fastify'
import { refusal } from '../../http/errors.ts'

/** Header that pages of other sites cannot send: browsers ask first, and no answer of Sluice allows it. */
export const pageHeader = 'x-sluice-page'

/**
 * The value of the session's cookie; undefined without one. The prefix `__Host-` keeps other hosts and plain HTTP from
 * setting it.
 * @source RFC 6265bis, 4.1.3.2
 */
export function sessionCookieOf(request: FastifyRequest): string | undefined {
  return cookieOf(request, nameFor(request))
}

/** The value of the first cookie with this name. */
export function cookieOf(request: FastifyRequest, name: string): string | undefined {
  const start = `${name}=`
  const cookies = request.headers.cookie?.split(';').map(pair => pair.trim()) ?? []
  return cookies.find(pair => pair.startsWith(start))?.slice(start.length)
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  secret: string,
  ageMs: number,
): void {
  const age = Math.floor(ageMs / 1000)
  reply.header(
    'set-cookie',
    `${nameFor(request)}=${secret}; Max-Age=${age}; ${attributes(request, 'Strict')}`,
  )
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('set-cookie', `${nameFor(request)}=; Max-Age=0; ${attributes(request, 'Strict')}`)
}

/** @param sameSite `Lax` when a page of another site leads here, as an identity provider does */
export function attributes(request: FastifyRequest, sameSite: 'Strict' | 'Lax'): string {
  return `Path=/; HttpOnly; SameSite=${sameSite}${isSecure(request) ? '; Secure' : ''}`
}

export function isSecure(request: FastifyRequest): boolean {
  return request.protocol === 'https'
}

/**
 * For requests that the browser authenticates by itself, against pages of other sites. Changes carry a header that only
 * pages of this origin can send, and come from this origin as far as the browser says so.
 * @throws ApiError 403
 * @source OWASP Cross-Site Request Forgery Prevention Cheat Sheet: custom headers, Fetch Metadata and Origin
 */
export function requireOwnPage(request: FastifyRequest): void {
  const { [pageHeader]: own, 'sec-fetch-site': site, origin } = request.headers
  const isSame =
    site === undefined ? origin === undefined || hostIn(origin) === request.host : site === 'same-origin'
  if (own === undefined || !isSame) throw refusal('notOwnPage', { header: pageHeader })
}

function hostIn(origin: string): string | undefined {
  return URL.parse(origin)?.host
}

function nameFor(request: FastifyRequest): string {
  return isSecure(request) ? '__Host-sluice' : 'sluice'
}
