import { trimmed } from '../../../kit/blanks.ts'
import { redacted } from './redacted.ts'

/** Authentication schemes: the registry of RFC 9110, section 16.4.1, and other common ones. Any other text may be a secret. */
const schemes: ReadonlySet<string> = new Set([
  'apikey',
  'aws4-hmac-sha256',
  'basic',
  'bearer',
  'concealed',
  'digest',
  'dpop',
  'gnap',
  'hawk',
  'hoba',
  'mutual',
  'negotiate',
  'ntlm',
  'oauth',
  'privatetoken',
  'scram-sha-1',
  'scram-sha-256',
  'signature',
  'token',
  'vapid',
])

/** Redacts the value of Authorization or Proxy-Authorization. The scheme stays. */
export function redactAuthorization(value: string): string {
  const text = trimmed(value)
  if (text === '') return value
  const blank = text.indexOf(' ')
  if (blank < 0) return schemes.has(text.toLowerCase()) ? value : redacted
  const scheme = text.slice(0, blank)
  return schemes.has(scheme.toLowerCase()) ? `${scheme} ${redacted}` : redacted
}

/** Redacts the value of Cookie. Names stay, and the values of the selected cookies. */
export function redactCookie(value: string, asked: readonly string[]): string {
  return value
    .split(';')
    .map(pair => redactPair(pair, asked))
    .join(';')
}

/** Redacts the value of Set-Cookie. Its name and attributes stay. */
export function redactSetCookie(value: string, asked: readonly string[]): string {
  const [pair = '', ...attributes] = value.split(';')
  return [redactPair(pair, asked), ...attributes.map(one => redactJoined(one, asked))].join(';')
}

/** Redacts an attribute. Servers that join header lines with commas append the next cookie to it. */
function redactJoined(attribute: string, asked: readonly string[]): string {
  const equals = attribute.indexOf('=', attribute.indexOf(',') + 1)
  const comma = attribute.lastIndexOf(',', equals)
  if (equals < 0 || comma < 0) return attribute
  return attribute.slice(0, comma + 1) + redactPair(attribute.slice(comma + 1), asked)
}

/** A pair without `=` is a value without a name (RFC 6265bis, section 5.7). */
function redactPair(pair: string, asked: readonly string[]): string {
  const equals = pair.indexOf('=')
  const value = trimmed(pair.slice(equals + 1))
  if (value === '' || (equals >= 0 && asked.includes(trimmed(pair.slice(0, equals))))) return pair
  const blanks = equals < 0 ? pair.length - pair.trimStart().length : equals + 1
  return pair.slice(0, blanks) + redacted
}
