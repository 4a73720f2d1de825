import { bytesOfText } from '../../kit/bytes.ts'
import { refusal } from '../http/errors.ts'

export interface TraceUrl {
  readonly scheme: 'http' | 'https'
  /** Host, and port if there is one. */
  readonly authority: string
  readonly port: number
  /** Path and query, byte for byte: rules look for sequences that a normalising client would remove. */
  readonly target: string
}

/** @throws ApiError 400 if the text is not an HTTP URL or does not fit a request line */
export function traceUrl(url: string): TraceUrl {
  const bytes = bytesOfText(url)
  const match = /^(https?):\/\/([^/?#]+)([^#]*)/i.exec(bytes)
  if (match === null) throw badUrl(url, 'it does not begin with http:// or https:// and a host')
  const [, scheme = '', authority = '', rest = ''] = match
  if (/[\0-\x20\x7f]/.test(bytes))
    throw badUrl(url, 'it contains a space or a control character; write a space as %20')
  if (authority.includes('@'))
    throw badUrl(url, 'put its user name and password into the Authorization header instead')
  const [, port] = /^(?:\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i.exec(authority) ?? [undefined, undefined]
  if (port === undefined && authority.replace(/^\[.*\]/, '').includes(':'))
    throw badUrl(url, 'its port is not a number')
  if (Number(port) > 65_535) throw badUrl(url, 'its port is more than 65535')
  const isSecure = scheme.toLowerCase() === 'https'
  return {
    scheme: isSecure ? 'https' : 'http',
    authority,
    port: port === undefined ? (isSecure ? 443 : 80) : Number(port),
    target: rest.startsWith('/') ? rest : `/${rest}`,
  }
}

function badUrl(url: string, reason: string) {
  return refusal('badValue', { value: url.slice(0, 100), field: 'url', reason }, '/url')
}
