import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { ClientResponse } from '../../message/client-response.ts'
import type { HeaderLines } from '../../message/headers.ts'

/** Bytes of a frame before its content (RFC 9113 4.1). */
const frameHeadBytes = 9

/** A response on a stream of HTTP/2. Its bytes are counted before header compression. */
export class Http2Response implements ClientResponse {
  readonly events: ServerHttp2Stream
  responseBytes = 0
  headSent = false
  readonly hasInterims = true
  #status = 0
  #headers: HeaderLines = []
  /** The last parts; undefined until `holdLastBytes`. */
  #held: (Uint8Array | string)[] | undefined
  #trailers: HeaderLines = []
  #headOnWire = false

  constructor(stream: ServerHttp2Stream) {
    this.events = stream
  }

  get hasLeft(): boolean {
    return this.events.destroyed || this.events.closed
  }

  get destroyed(): boolean {
    return this.hasLeft
  }

  get ended(): boolean {
    return this.events.writableEnded
  }

  get needsDrain(): boolean {
    return this.events.writableNeedDrain
  }

  get isBackedUp(): boolean {
    return this.events.writableLength > 0
  }

  writeHead(status: number, headers: HeaderLines): void {
    this.headSent = true
    this.#status = status
    this.#headers = headers
    this.responseBytes += bytesOf(headers)
  }

  flushHead(): void {
    if (this.#held === undefined) this.#sendHead(false)
  }

  writeInterim(status: number, headers: HeaderLines): void {
    if (this.hasLeft) return
    this.responseBytes += bytesOf(headers)
    this.events.additionalHeaders(fieldsOf(headers, status))
  }

  write(part: Uint8Array | string): boolean {
    this.responseBytes += part.length + frameHeadBytes
    if (this.#held !== undefined) {
      this.#held.push(part)
      return true
    }
    this.#sendHead(false)
    return this.#send(part)
  }

  holdLastBytes(): void {
    this.#held ??= []
  }

  prepareEnd(trailers: HeaderLines): void {
    this.#trailers = trailers
    if (trailers.length > 0) this.responseBytes += bytesOf(trailers)
  }

  end(): void {
    const held = this.#held ?? []
    this.#held = undefined
    if (this.hasLeft) return
    const isEmpty = held.length === 0 && this.#trailers.length === 0 && !this.#headOnWire
    this.#sendHead(isEmpty)
    if (isEmpty) return
    for (const part of held) this.#send(part)
    this.events.end()
  }

  destroy(): void {
    if (!this.hasLeft) this.events.close(constants.NGHTTP2_INTERNAL_ERROR)
  }

  /** Other streams of the connection go on. */
  endConnection(): void {}

  #sendHead(endStream: boolean): void {
    if (this.#headOnWire || this.hasLeft) return
    this.#headOnWire = true
    const stream = this.events
    stream.respond(fieldsOf(this.#headers, this.#status), { endStream, waitForTrailers: !endStream })
    // Trailers are known at the end at the latest.
    stream.once('wantTrailers', () => {
      if (!this.hasLeft) stream.sendTrailers(fieldsOf(this.#trailers))
    })
  }

  #send(part: Uint8Array | string): boolean {
    if (this.hasLeft) return true
    return typeof part === 'string' ? this.events.write(part, 'latin1') : this.events.write(part)
  }
}

function bytesOf(headers: HeaderLines): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length, frameHeadBytes)
}

/** Fields of a connection in HTTP/1.1, which HTTP/2 forbids (RFC 9113 8.2.2). */
const connectionFields = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
])

function fieldsOf(headers: HeaderLines, status?: number): OutgoingHttpHeaders {
  const fields: Record<string, string | string[] | number> = Object.create(null)
  if (status !== undefined) fields[':status'] = status
  for (const [name, value] of headers) {
    const lower = name.toLowerCase()
    if (connectionFields.has(lower)) continue
    const before = fields[lower]
    if (before === undefined) fields[lower] = value
    else if (Array.isArray(before)) before.push(value)
    else fields[lower] = [String(before), value]
  }
  return fields
}
