import { METHODS } from 'node:http'
import { bytesOfText } from '../../kit/bytes.ts'
import { canonicalIp } from '../../kit/cidr.ts'
import type { TraceLocation, TraceRequest } from '../../model/request-trace.ts'
import type { Message } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { escapePointer } from '../http/schema-errors.ts'
import type { TraceBody, TraceContext } from './body.ts'
import { traceRequestLimits } from './limits.ts'
import { traceUrl } from './url.ts'

/** The request to trace, and notes about members without effect. */
export interface TraceInput {
  readonly request: TraceRequest
  readonly messages: readonly Message[]
}

type HeaderLine = readonly [name: string, value: string]

/** An address that RFC 5737 keeps for examples. */
const someClient = '192.0.2.1'

/**
 * The request that a body describes, with the headers that every client sends: Host, and the length of the body.
 * @throws ApiError 400 with a pointer to the member that HTTP could not send
 */
export function readTrace(accountId: string, input: TraceBody): TraceInput {
  const { context = {}, protocol = 'HTTP/1.1' } = input
  const { scheme, authority, port, target } = traceUrl(input.url)
  const body = readBody(input.body)
  const headers = completed([...readHeaders(input.headers), ...readCookies(input.cookies)], authority, {
    body,
    isJson: input.body?.json !== undefined,
  })
  requireHeadSize(input.method, target, headers)
  const request: TraceRequest = {
    accountId,
    method: readMethod(input.method),
    target,
    protocol,
    scheme,
    port,
    headers,
    body,
    clientIp: readClient(context),
    location: readLocation(context),
    cleared: context.skip_challenge ?? false,
  }
  return { request, messages: unused(input) }
}

/** As the edge's parser knows them. */
function readMethod(method: string): string {
  if (METHODS.includes(method)) return method
  const reason = METHODS.includes(method.toUpperCase())
    ? `methods are in upper case: ${method.toUpperCase()}`
    : 'the edge refuses methods that it does not know'
  throw refusal('badValue', { value: method, field: 'method', reason }, '/method')
}

function readClient({ client_ip: address = someClient }: TraceContext): string {
  const ip = canonicalIp(address)
  if (ip !== undefined) return ip
  const reason = 'it is not an IPv4 or IPv6 address'
  const values = { value: address, field: 'context.client_ip', reason }
  throw refusal('badValue', values, '/context/client_ip')
}

function readLocation({ geoloc = {} }: TraceContext): TraceLocation {
  const location: Record<keyof TraceLocation, string | undefined> = {
    country: geoloc.iso_code?.toUpperCase(),
    city: geoloc.city,
    regionCode: geoloc.region_code,
    subdivision2Code: geoloc.subdivision_2_iso_code,
    postalCode: geoloc.postal_code,
    latitude: geoloc.latitude?.toString(),
    longitude: geoloc.longitude?.toString(),
    timezone: geoloc.timezone,
  }
  const given = Object.entries(location).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, bytesOfText(value ?? '')]))
}

/** Notes about members of Cloudflare's API without effect here, each with the reason. */
function unused({ context = {}, skip_response: skips }: TraceBody): Message[] {
  const { geoloc = {} } = context
  const notes = [
    context.bot_score === undefined
      ? undefined
      : 'context.bot_score is not used: the edge computes it from the headers, for the record only',
    context.threat_score === undefined ? undefined : 'context.threat_score is not used: no rule can read it',
    geoloc.continent === undefined && geoloc.is_eu_country === undefined
      ? undefined
      : 'context.geoloc.continent and is_eu_country are not used: they follow from iso_code',
    skips === false ? 'the trace never contacts the origin' : undefined,
  ]
  return notes.filter(note => note !== undefined).map(message => ({ code: unusedCode, message, type: null }))
}

const unusedCode = 10495

function readBody(body: TraceBody['body']): Uint8Array {
  if (body === undefined) return new Uint8Array(0)
  const given = (['base64', 'json', 'plain_text'] as const).filter(name => body[name] !== undefined)
  if (given.length > 1) {
    const reason = 'the body must have one form only'
    throw refusal('badValue', { value: given.join(' and '), field: 'body', reason }, '/body')
  }
  const bytes =
    body.base64 !== undefined ? readBase64(body.base64) : Buffer.from(body.plain_text ?? jsonText(body.json))
  if (bytes.length <= traceRequestLimits.bodyBytesMax) return bytes
  const reason = `it has more than ${traceRequestLimits.bodyBytesMax} bytes`
  throw refusal('badValue', { value: `${bytes.length} bytes`, field: 'body', reason }, '/body')
}

function jsonText(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value)
}

function readBase64(text: string): Uint8Array {
  if (/^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.replace(/=+$/, '').length % 4 !== 1)
    return Buffer.from(text, 'base64')
  const reason = 'it is not Base64'
  const values = { value: text.slice(0, 100), field: 'body.base64', reason }
  throw refusal('badValue', values, '/body/base64')
}

/** RFC 9110 5.6.2. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

function readHeaders(headers: TraceBody['headers'] = {}): HeaderLine[] {
  const lines: HeaderLine[] = []
  for (const [name, values] of Object.entries(headers)) {
    const pointer = `/headers/${escapePointer(name)}`
    if (!token.test(name)) throw badHeader(name, 'it is not a valid header name', pointer)
    for (const value of [values].flat()) {
      if (/[\0\r\n]/.test(value)) throw badHeader(name, 'values must not contain line breaks or NUL', pointer)
      // Blanks around a value are not part of it (RFC 9110 5.5).
      lines.push([name, bytesOfText(value).replace(/^[ \t]+|[ \t]+$/g, '')])
    }
    if (lines.length > traceRequestLimits.headersMax)
      throw badHeader(name, `there are more than ${traceRequestLimits.headersMax} header lines`, '/headers')
  }
  return lines
}

function badHeader(name: string, reason: string, pointer: string) {
  return refusal('badValue', { value: name.slice(0, 100), field: 'headers', reason }, pointer)
}

/** One Cookie line, as browsers send it (RFC 6265 5.4). */
function readCookies(cookies: TraceBody['cookies'] = {}): HeaderLine[] {
  const pairs = Object.entries(cookies).map(([name, value]) => {
    const pair = `${name}=${value}`
    if (!/[\0\r\n;]/.test(pair)) return bytesOfText(pair)
    const reason = 'cookies must not contain semicolons or line breaks'
    const values = { value: pair.slice(0, 100), field: 'cookies', reason }
    throw refusal('badValue', values, `/cookies/${escapePointer(name)}`)
  })
  return pairs.length === 0 ? [] : [['Cookie', pairs.join('; ')]]
}

function completed(
  given: readonly HeaderLine[],
  authority: string,
  { body, isJson }: { readonly body: Uint8Array; readonly isJson: boolean },
): HeaderLine[] {
  const lines = [...given]
  const has = (lowerName: string) => lines.some(([name]) => name.toLowerCase() === lowerName)
  if (!has('host')) lines.unshift(['Host', authority])
  if (isJson && !has('content-type')) lines.push(['Content-Type', 'application/json'])
  const declared = lines.filter(([name]) => name.toLowerCase() === 'content-length')
  if (declared.some(([, value]) => value !== String(body.length))) {
    const reason = `the body has ${body.length} bytes; without the header, it is added`
    throw badHeader('Content-Length', reason, '/headers')
  }
  if (body.length > 0 && declared.length === 0 && !has('transfer-encoding'))
    lines.push(['Content-Length', String(body.length)])
  return lines
}

function requireHeadSize(method: string, target: string, headers: readonly HeaderLine[]): void {
  let bytes = method.length + target.length
  for (const [name, value] of headers) bytes += name.length + value.length + 4
  if (bytes <= traceRequestLimits.headBytesMax) return
  const reason = `the request line and headers have more than ${traceRequestLimits.headBytesMax} bytes, which the edge refuses`
  throw badHeader(`${bytes} bytes`, reason, '/headers')
}
