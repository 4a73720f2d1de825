import { Buffer } from 'node:buffer'
import { httpLimits } from '../../src/edge/limits.ts'
import { type Headers, type SampleRequest, sample } from '../support/sample-request.ts'

/** Bytes of the bodies: the inspected length. */
export const bodyBytes = httpLimits.inspectedBodyBytesMax
/** Bytes of the headers together, and of a request line. */
export const headerBytes = 60 * 1024

const usual: Headers = [
  ['Host', 'www.example.com'],
  ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Safari/537.36'],
  ['Accept', '*/*'],
]

export function post(type: string, body: string): SampleRequest {
  const cut = body.slice(0, bodyBytes)
  const headers = [...usual, ['Content-Type', type], ['Content-Length', String(cut.length)]] as const
  return sample('POST', '/upload', headers, cut)
}

/** @param body encoded already */
export function form(body: string): SampleRequest {
  return post('application/x-www-form-urlencoded', body)
}

export function formValue(value: string): SampleRequest {
  return form(`text=${formEncode(value.slice(0, bodyBytes))}`)
}

export function json(body: string): SampleRequest {
  return post('application/json', body)
}

/** The value as the one string of a complete JSON document. */
export function jsonValue(value: string): SampleRequest {
  const around = '{"text":""}'
  let text = jsonEncode(value.slice(0, bodyBytes)).slice(0, bodyBytes - around.length)
  // The cut may have split an escape.
  text = text.replace(/\\u?[0-9a-f]{0,3}$/, '')
  return json(`{"text":"${text}"}`)
}

export function text(body: string): SampleRequest {
  return post('text/plain', body)
}

/** A field of a multipart form, byte for byte. */
export function multipartValue(value: string): SampleRequest {
  return multipart([
    { head: 'Content-Disposition: form-data; name="text"', value: value.slice(0, bodyBytes - 200) },
  ])
}

export function multipart(
  parts: readonly { readonly head: string; readonly value: string }[],
): SampleRequest {
  const boundary = 'x7f3a9c'
  let body = ''
  for (const { head, value } of parts) {
    const part = `--${boundary}\r\n${head}\r\n\r\n${value}\r\n`
    if (body.length + part.length > bodyBytes - 20) break
    body += part
  }
  return post(`multipart/form-data; boundary=${boundary}`, `${body}--${boundary}--\r\n`)
}

export function xml(body: string): SampleRequest {
  return post('application/xml', body)
}

/** Lines besides the usual ones; a value holds neither line ends nor NUL. */
export function getWith(headers: Headers): SampleRequest {
  return sample('GET', '/page', [...usual, ...headers.map(([n, v]) => [n, headerText(v)] as const)], '')
}

/** Replaces the usual line of that name. */
export function getWithOwn(name: string, value: string): SampleRequest {
  const others = usual.filter(([other]) => other.toLowerCase() !== name.toLowerCase())
  return sample('GET', '/page', [...others, [name, headerText(value.slice(0, headerBytes))]], '')
}

export function getTarget(target: string): SampleRequest {
  return sample('GET', targetEncode(target).slice(0, headerBytes), usual, '')
}

function headerText(value: string): string {
  return value.replace(/[\0\r\n]/g, ' ')
}

/** The least escaping: an escape takes three bytes of the body. */
export function formEncode(value: string): string {
  return value.replace(/[\0-\x20%&+=#;\x7f-\xff]/g, byte => (byte === ' ' ? '+' : percentEncoded(byte)))
}

function targetEncode(value: string): string {
  return value.replace(/[\0-\x20\x7f-\xff]/g, percentEncoded)
}

function percentEncoded(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`
}

/** Of byte strings: above 0x7F they become characters of two bytes. */
export function jsonEncode(value: string): string {
  return Buffer.from(JSON.stringify(value).slice(1, -1), 'utf8').toString('latin1')
}
