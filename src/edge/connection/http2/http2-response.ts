import { constants, type ServerHttp2Stream } from 'node:http2'
import type { ClientResponse } from '../../message/client-response.ts'
import type { HeaderLines } from '../../message/headers.ts'
import { responseFields } from './response-fields.ts'

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
  readonly #onRefused: (error: unknown) => void

  /** @param onRefused node refused to send fields; the stream is reset */
  constructor(stream: ServerHttp2Stream, onRefused: (error: unknown) => void) {
    this.events = stream
    this.#onRefused = onRefused
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
    this.#attempt(() => this.events.additionalHeaders(responseFields(headers, status)))
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
    if (isEmpty || this.hasLeft) return
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
    this.#attempt(() =>
      stream.respond(responseFields(this.#headers, this.#status), { endStream, waitForTrailers: !endStream }),
    )
    // Trailers are known at the end at the latest.
    stream.once('wantTrailers', () => {
      if (!this.hasLeft) this.#attempt(() => stream.sendTrailers(responseFields(this.#trailers)))
    })
  }

  /** Fields of an origin must not end the process. */
  #attempt(send: () => void): void {
    try {
      send()
    } catch (error) {
      this.destroy()
      this.#onRefused(error)
    }
  }

  #send(part: Uint8Array | string): boolean {
    if (this.hasLeft) return true
    return typeof part === 'string' ? this.events.write(part, 'latin1') : this.events.write(part)
  }
}

function bytesOf(headers: HeaderLines): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length, frameHeadBytes)
}
