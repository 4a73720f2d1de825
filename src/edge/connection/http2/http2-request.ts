import { METHODS } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { BodyInput } from '../../message/body-source.ts'
import type { RequestHead } from '../../message/client-request.ts'
import { firstHeader, type HeaderLines, headerLines } from '../../message/headers.ts'
import type { RequestFault } from '../../message/request-faults.ts'
import { ShortParts } from '../../message/short-parts.ts'

export interface Http2Head {
  readonly head: RequestHead
  readonly fault: RequestFault | undefined
}

/**
 * The head of a request on a stream, in the form of HTTP/1.1: `:authority` becomes Host, and the parts of a cookie are
 * joined (RFC 9113 8.2.3).
 * @param flat names and values as received, pseudo-header fields included
 * @param bytesMax of all names and values. node applies it only to clients that have acknowledged its settings. Later
 *   lines are not kept
 */
export function readHead(flat: readonly string[], bytesMax: number): Http2Head {
  const pseudo = new Map<string, string>()
  const headers: [string, string][] = []
  const cookies: string[] = []
  let hosts = 0
  let bytes = 0
  for (const [name, value] of headerLines(flat)) {
    bytes += name.length + value.length
    if (bytes > bytesMax) break
    if (name.startsWith(':')) pseudo.set(name, value)
    else if (name === 'cookie') {
      if (cookies.push(value) === 1) headers.push([name, value])
    } else {
      if (name === 'host') hosts++
      headers.push([name, value])
    }
  }
  const authority = pseudo.get(':authority')
  const host = firstHeader(headers, 'host')
  const lines: HeaderLines = headers.map(([name, value]) =>
    name === 'cookie' && cookies.length > 1 ? [name, cookies.join('; ')] : [name, value],
  )
  const withHost: HeaderLines =
    host === undefined && authority !== undefined ? [['host', authority], ...lines] : lines
  const method = pseudo.get(':method') ?? ''
  const target = method === 'CONNECT' ? (authority ?? '') : (pseudo.get(':path') ?? '')
  return {
    head: { method, target, protocol: 'HTTP/2', headers: withHost },
    fault: bytes > bytesMax ? tooLong : (pseudoFault(pseudo) ?? hostFault(hosts, host, authority)),
  }
}

const tooLong: RequestFault = { status: 431, reason: 'the headers of the request are too long' }

/** Methods that the parser of HTTP/1.1 accepts as well. */
const methods = new Set(METHODS)

/** Faults of a request line that nghttp2 accepts. */
function pseudoFault(pseudo: ReadonlyMap<string, string>): RequestFault | undefined {
  if (!methods.has(pseudo.get(':method') ?? '')) return bad('the method is unknown')
  if (!/^https?$/i.test(pseudo.get(':scheme') ?? 'https')) return bad('the scheme is not http or https')
  if (/[^!-~]/.test(pseudo.get(':path') ?? '')) return bad('the path has bytes outside of ASCII')
  return undefined
}

function hostFault(
  hosts: number,
  host: string | undefined,
  authority: string | undefined,
): RequestFault | undefined {
  if (hosts > 1 || host === undefined || authority === undefined) return undefined
  if (host.toLowerCase() === authority.toLowerCase()) return undefined
  return bad(':authority and Host name different hosts')
}

function bad(reason: string): RequestFault {
  return { status: 400, reason }
}

/** The body of a request on a stream. */
export class Http2Body implements BodyInput {
  readonly mayHaveBody: boolean
  readonly announcedBytes: number | undefined
  readonly #stream: ServerHttp2Stream

  /** @param client as `countedClient` returns it */
  constructor(stream: ServerHttp2Stream, headers: HeaderLines, client: string) {
    this.#stream = stream
    const length = firstHeader(headers, 'content-length')
    this.announcedBytes = length === undefined ? undefined : Number(length)
    this.mayHaveBody = !stream.endAfterHeaders
    if (this.mayHaveBody) joinShortParts(stream, client)
  }

  get complete(): boolean {
    return this.#stream.readableEnded || this.#stream.endAfterHeaders
  }

  get destroyed(): boolean {
    return this.#stream.destroyed
  }

  on(event: 'data' | 'end' | 'close', listener: (chunk: Buffer) => void): this {
    this.#stream.on(event, listener as () => void)
    return this
  }

  pause(): void {
    this.#stream.pause()
  }

  resume(): void {
    this.#stream.resume()
  }
}

/** node passes each DATA frame on with the stream's `push`. */
function joinShortParts(stream: ServerHttp2Stream, client: string): void {
  const passOn = stream.push.bind(stream)
  const parts = new ShortParts(stream, client, passOn)
  stream.push = part => parts.push(part)
}
