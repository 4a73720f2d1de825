import { domainToASCII } from 'node:url'
import { unixPathOf } from '../../kit/unix-url.ts'
import { socketProblem } from '../../outgoing/index.ts'
import { refusal } from '../http/errors.ts'
import { type OriginBounds, originFault } from './origin-address.ts'

/**
 * A domain as typed, in lower-case ASCII (international names as `xn--…`).
 * @throws ApiError 400 when it is no host name: labels of 1 to 63 letters, digits, `-` and `_`, 253 in all
 */
export function domainName(typed: string): string {
  const name = /^[\u0000-\u007f]*$/.test(typed) ? typed.toLowerCase() : domainToASCII(typed)
  if (name.length <= 253 && name.split('.').every(label => hostLabel.test(label))) return name
  throw badValue('name', typed, 'it is not a domain name', '/name')
}

const hostLabel = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/**
 * The origin of a zone, as `scheme://host[:port]`, or `http://unix:/path`.
 * @throws ApiError 400 for other parts, because the path comes from the request, and for servers beyond the bounds
 */
export function originUrl(typed: string, bounds: OriginBounds): string {
  const path = unixPathOf(typed)
  if (path !== undefined) {
    const problem = socketProblem(path, bounds.originSockets)
    if (problem !== undefined) throw badValue('origin.url', typed, problem.message, '/origin/url')
    return typed
  }
  const url = URL.canParse(typed) ? new URL(typed) : undefined
  const reason =
    url === undefined
      ? 'it is not a URL'
      : (urlFault(url) ?? originFault(url.hostname, [portOf(url)], bounds))
  if (reason !== undefined) throw badValue('origin.url', typed, reason, '/origin/url')
  return url!.origin
}

function urlFault(url: URL): string | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'it must begin with http:// or https://'
  if (url.username !== '' || url.password !== '') return 'it must not hold a user name or password'
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return 'it must be scheme, host and port only'
  return undefined
}

function portOf({ port, protocol }: URL): number {
  return Number(port || (protocol === 'https:' ? 443 : 80))
}

function badValue(field: string, value: string, reason: string, pointer: string): Error {
  return refusal('badValue', { value: value.slice(0, 100), field, reason }, pointer)
}
