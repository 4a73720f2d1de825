import { domainToASCII } from 'node:url'
import { refusal } from './errors.ts'

/**
 * The domain that a person typed, in lower-case ASCII (international names as `xn--…`).
 * @throws ApiError 400 when it is no host name: labels of 1 to 63 letters, digits, `-` and `_`, 253 in all
 */
export function domainName(typed: string): string {
  const name = /^[\u0000-\u007f]*$/.test(typed) ? typed.toLowerCase() : domainToASCII(typed)
  if (name.length <= 253 && name.split('.').every(label => hostLabel.test(label))) return name
  throw badValue('name', typed, 'it is not a domain name', '/name')
}

const hostLabel = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/**
 * Where a zone's requests go, as `scheme://host[:port]`.
 * @throws ApiError 400 when it is anything else: the path of a request is its own
 */
export function originUrl(typed: string): string {
  const url = URL.canParse(typed) ? new URL(typed) : undefined
  const reason = url === undefined ? 'it is not a URL' : originFault(url)
  if (reason !== undefined) throw badValue('origin.url', typed, reason, '/origin/url')
  return url!.origin
}

function originFault(url: URL): string | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'it must begin with http:// or https://'
  if (url.username !== '' || url.password !== '') return 'it must not hold a user name or password'
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return 'it must be scheme, host and port only'
  return undefined
}

function badValue(field: string, value: string, reason: string, pointer: string): Error {
  return refusal('badValue', { value: value.slice(0, 100), field, reason }, pointer)
}
