import { emptyDraft, type HeaderRow, headerOf, type RequestDraft } from '../request-draft.ts'
import { CannotRead, pastedMax, type Read, reading } from './read.ts'
import { hostOf, originOf, targetOf } from './url-text.ts'

/**
 * A request in wire format: request line, headers, an empty line, body. Lines end with LF or CRLF.
 * @param origin scheme and host of the address, such as `https://shop.example`: the request has no scheme, and may lack
 *   the host
 */
export function readRaw(pasted: string, origin: string | undefined): Read<RequestDraft> {
  return reading(notes => {
    if (pasted.length > pastedMax) throw new CannotRead('The request is longer than 2 MB.')
    const lines = new Lines(pasted)
    const line = firstLine(lines)
    const { method, target, protocol } = readRequestLine(line, notes)
    const headers: HeaderRow[] = []
    for (let next = lines.next(); next !== undefined && next !== ''; next = lines.next())
      headers.push(readHeader(next, lines.number))
    const body = lines.rest()
    if (headerOf({ headers }, 'transfer-encoding') !== undefined && body !== '')
      notes.push('The body is used as is; chunked encoding is not decoded.')
    return {
      ...emptyDraft,
      method,
      url: urlOf(target, headers, origin),
      headers: withoutLength(withoutHost(headers, target), body, notes),
      body,
      protocol,
    }
  })
}

/** The reverse; the form keeps the body of a Base64 draft. */
export function rawOf({ method, url, headers, body, isBase64, protocol }: RequestDraft): string {
  const host: HeaderRow[] = headerOf({ headers }, 'host') === undefined ? [['Host', hostOf(url)]] : []
  const lines = [...host, ...headers].map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${targetOf(url)} ${protocol}`, ...lines, '', isBase64 ? '' : body].join('\n')
}

function firstLine(lines: Lines): string {
  for (let line = lines.next(); line !== undefined; line = lines.next()) if (line.trim() !== '') return line
  throw new CannotRead('Paste a request that begins with a line such as GET /path HTTP/1.1.')
}

function readRequestLine(
  line: string,
  notes: string[],
): Pick<RequestDraft, 'method' | 'protocol'> & { readonly target: string } {
  const [, method, target, version = '1.1'] =
    /^([^\s]+) +([^\s]+)(?: +HTTP\/([0-9](?:\.[0-9])?))?\s*$/.exec(line) ?? []
  if (method === undefined || target === undefined)
    throw new CannotRead(
      `“${line.length > 60 ? `${line.slice(0, 60)}…` : line}” is not a request line such as GET /path?a=b HTTP/1.1. Write spaces in the path as %20.`,
    )
  if (version !== '1.1' && version !== '1.0')
    notes.push('The edge uses HTTP/1.1; the request was read as HTTP/1.1.')
  return { method, target, protocol: version === '1.0' ? 'HTTP/1.0' : 'HTTP/1.1' }
}

function readHeader(line: string, number: number): HeaderRow {
  if (/^[ \t]/.test(line))
    throw new CannotRead(
      `Line ${number} continues the previous header, which HTTP no longer allows. Join the two lines.`,
    )
  const [, name, value] = /^([^\s:]+):(.*)$/.exec(line) ?? []
  if (name === undefined || value === undefined)
    throw new CannotRead(
      `Line ${number} is not a header: write “Name: value”, and an empty line before the body.`,
    )
  return [name, value.trim()]
}

function urlOf(target: string, headers: readonly HeaderRow[], origin: string | undefined): string {
  if (originOf(target) !== undefined) return target
  const host = headerOf({ headers }, 'host') ?? (origin === undefined ? undefined : hostOf(origin))
  if (host === undefined || host === '') throw new CannotRead('The request has no Host header.')
  const scheme = /^https:/i.test(origin ?? '') ? 'https' : 'http'
  return `${scheme}://${host}${target.startsWith('/') ? '' : '/'}${target}`
}

/** Drops a Host header that equals the address; another value stays. */
function withoutHost(headers: readonly HeaderRow[], target: string): HeaderRow[] {
  const hosts = headers.filter(([name]) => name.toLowerCase() === 'host')
  if (hosts.length !== 1 || originOf(target) !== undefined) return [...headers]
  return headers.filter(([name]) => name.toLowerCase() !== 'host')
}

function withoutLength(headers: readonly HeaderRow[], body: string, notes: string[]): HeaderRow[] {
  const length = headerOf({ headers }, 'content-length')
  if (length === undefined) return [...headers]
  const bytes = new TextEncoder().encode(body).length
  if (length !== String(bytes))
    notes.push(`Content-Length is ${length}, but the body has ${bytes} bytes; all are sent.`)
  return headers.filter(([name]) => name.toLowerCase() !== 'content-length')
}

/** Reads a text line by line. */
class Lines {
  readonly #text: string
  #at = 0
  /** Number of the last line, from 1. */
  number = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The next line without its ending; undefined at the end. */
  next(): string | undefined {
    if (this.#at >= this.#text.length) return undefined
    const feed = this.#text.indexOf('\n', this.#at)
    const end = feed < 0 ? this.#text.length : feed
    const line = this.#text.slice(this.#at, end)
    this.#at = end + 1
    this.number++
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }

  /** The rest of the text, without one final line ending, which editors add. */
  rest(): string {
    return this.#text.slice(this.#at).replace(/\r?\n$/, '')
  }
}
