import { bytesOfText } from '../kit/bytes.ts'
import { refusal } from './errors.ts'

export interface TraceUrl {
  readonly scheme: 'http' | 'https'
  /** Host, and port if there is one. */
  readonly authority: string
  readonly port: number
  /** Path and query, byte for byte: rules look for what clients that tidy up would have taken out. */
  readonly target: string
}

/** @throws ApiError 400 when it is no URL of HTTP, or could not stand in a request line */
export function traceUrl(url: string): TraceUrl {
  const bytes = bytesOfText(url)
  const match = /^(https?):\/\/([^/?#]+)([^#]*)/i.exec(bytes)
  if (match === null) throw badUrl(url, 'it does not begin with http:// or https:// and a host')
  const [, scheme = '', authority = '', rest = ''] = match
  if (/[\0-\x20\x7f]/.test(bytes))
    throw badUrl(url, 'it has a blank or a control character; a blank is written %20')
  if (authority.includes('@'))
    throw badUrl(url, 'a name and password in it go into the header Authorization instead')
  const [, port] = /^(?:\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i.exec(authority) ?? [undefined, undefined]
  if (port === undefined && authority.replace(/^\[.*\]/, '').includes(':'))
    throw badUrl(url, 'its port is no number')
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
