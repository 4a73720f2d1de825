import { CannotRead, pastedMax, type Read, reading } from './read.ts'
import { emptyDraft, type HeaderRow, headerOf, type RequestDraft } from './request-draft.ts'
import { hostOf, originOf, targetOf } from './url-text.ts'

/**
 * A request as it goes over the wire: request line, headers, an empty line, body. Lines may end with LF or CRLF.
 * @param origin scheme and host of the address, such as `https://shop.example`: the scheme is not in the request, and the
 *   host may be missing
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
      notes.push('The body was taken as it stands, not as chunks with their sizes.')
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

/** The other direction; the body of a Base64 draft is left to its form. */
export function rawOf({ method, url, headers, body, isBase64, protocol }: RequestDraft): string {
  const host: HeaderRow[] = headerOf({ headers }, 'host') === undefined ? [['Host', hostOf(url)]] : []
  const lines = [...host, ...headers].map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${targetOf(url)} ${protocol}`, ...lines, '', isBase64 ? '' : body].join('\n')
}

function firstLine(lines: Lines): string {
  for (let line = lines.next(); line !== undefined; line = lines.next()) if (line.trim() !== '') return line
  throw new CannotRead('Paste a request, beginning with a line such as GET /path HTTP/1.1.')
}

function readRequestLine(
  line: string,
  notes: string[],
): Pick<RequestDraft, 'method' | 'protocol'> & { readonly target: string } {
  const [, method, target, version = '1.1'] =
    /^([^\s]+) +([^\s]+)(?: +HTTP\/([0-9](?:\.[0-9])?))?\s*$/.exec(line) ?? []
  if (method === undefined || target === undefined)
    throw new CannotRead(
      `“${line.length > 60 ? `${line.slice(0, 60)}…` : line}” is no request line such as GET /path?a=b HTTP/1.1. A blank in the path is written %20.`,
    )
  if (version !== '1.1' && version !== '1.0')
    notes.push('The edge speaks HTTP/1.1 with clients; the request was taken as such.')
  return { method, target, protocol: version === '1.0' ? 'HTTP/1.0' : 'HTTP/1.1' }
}

function readHeader(line: string, number: number): HeaderRow {
  if (/^[ \t]/.test(line))
    throw new CannotRead(
      `Line ${number} goes on with the header before it, which HTTP allows no more. Join the two.`,
    )
  const [, name, value] = /^([^\s:]+):(.*)$/.exec(line) ?? []
  if (name === undefined || value === undefined)
    throw new CannotRead(
      `Line ${number} is no header: write “Name: value”, and an empty line before the body.`,
    )
  return [name, value.trim()]
}

function urlOf(target: string, headers: readonly HeaderRow[], origin: string | undefined): string {
  if (originOf(target) !== undefined) return target
  const host = headerOf({ headers }, 'host') ?? (origin === undefined ? undefined : hostOf(origin))
  if (host === undefined || host === '')
    throw new CannotRead('The request has no Host header, so it is for no site.')
  const scheme = /^https:/i.test(origin ?? '') ? 'https' : 'http'
  return `${scheme}://${host}${target.startsWith('/') ? '' : '/'}${target}`
}

/** The address says it already; where it says another, the header stays. */
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
    notes.push(`Content-Length says ${length}, but the body has ${bytes} bytes; all of them are sent.`)
  return headers.filter(([name]) => name.toLowerCase() !== 'content-length')
}

/** The lines of a text, one after the other. */
class Lines {
  readonly #text: string
  #at = 0
  /** Of the line returned last, from 1. */
  number = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Without its ending; undefined behind the last one. */
  next(): string | undefined {
    if (this.#at >= this.#text.length) return undefined
    const feed = this.#text.indexOf('\n', this.#at)
    const end = feed < 0 ? this.#text.length : feed
    const line = this.#text.slice(this.#at, end)
    this.#at = end + 1
    this.number++
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }

  /** As it is, but for one line ending at the end, which editors add. */
  rest(): string {
    return this.#text.slice(this.#at).replace(/\r?\n$/, '')
  }
}
