import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { stringOfBytes } from '../../kit/bytes.ts'
import type { ClientResponse } from '../message/client-response.ts'
import { flatHeaders, type HeaderLines } from '../message/headers.ts'
import { SocketChannel } from './socket-channel.ts'

/** node's types omit this method. */
type InformingResponse = ServerResponse & { writeInformation(status: number, headers: HeaderLines): void }

const lastChunkBytes = '0\r\n\r\n'.length

/** node joins the head and a string: one piece of this length costs less than two, a longer one costs more to copy. */
const joinedUpToBytes = 8192

/** A response in HTTP/1.0 or 1.1. */
export class Http1Response extends SocketChannel implements ClientResponse {
  readonly events: ServerResponse
  /** The head is written, and goes out with the first bytes of the body. */
  #headWaits = false
  /** The connection keeps what is written. */
  #holds = false
  /** Set when the response is about to end. */
  #trailers: HeaderLines | undefined

  constructor(response: ServerResponse, socket: Socket) {
    super(socket)
    this.events = response
  }

  override get responseBytes(): number {
    const sent = super.responseBytes
    return this.#trailers === undefined ? sent : sent + this.#bytesToCome(this.#trailers)
  }

  /** Bytes that node still buffers, and bytes that it sends with the end. */
  #bytesToCome(trailers: HeaderLines): number {
    const { events: response } = this
    const kept = Math.max(0, response.writableLength - (response.socket?.writableLength ?? 0))
    if (!response.chunkedEncoding || response.req.method === 'HEAD') return kept
    return trailers.reduce(
      (sum, [name, value]) => sum + name.length + value.length + 4,
      kept + lastChunkBytes,
    )
  }

  get headSent(): boolean {
    return this.events.headersSent
  }

  get destroyed(): boolean {
    return this.events.destroyed
  }

  get ended(): boolean {
    return this.events.writableEnded
  }

  get needsDrain(): boolean {
    return this.events.writableNeedDrain
  }

  get isBackedUp(): boolean {
    return (this.events.socket?.writableLength ?? 0) > 0
  }

  get hasInterims(): boolean {
    return this.events.useChunkedEncodingByDefault
  }

  writeHead(status: number, headers: HeaderLines): void {
    this.events.writeHead(status, flatHeaders(headers))
    this.#headWaits = true
  }

  flushHead(): void {
    this.events.flushHeaders()
  }

  writeInterim(status: number, headers: HeaderLines): void {
    const response = this.events as InformingResponse
    response.writeInformation(status, headers)
  }

  write(part: Uint8Array | string): boolean {
    const joinsHead = this.#headWaits && part.length <= joinedUpToBytes
    this.#headWaits = false
    if (typeof part === 'string') return this.events.write(part, 'latin1')
    return joinsHead ? this.events.write(stringOfBytes(part), 'latin1') : this.events.write(part)
  }

  holdLastBytes(): void {
    if (this.#holds) return
    this.#holds = true
    this.events.socket?.cork()
  }

  prepareEnd(trailers: HeaderLines): void {
    // node sends trailers with chunked bodies only; other bodies cannot have them.
    if (trailers.length > 0) this.events.addTrailers(trailers as [string, string][])
    this.#trailers = trailers
  }

  end(): void {
    // Sent as one write: at the end, node would add an empty one to bytes that are still held.
    if (this.#holds && !this.events.chunkedEncoding) this.events.socket?.uncork()
    this.events.end()
  }

  destroy(): void {
    this.events.destroy()
  }

  endConnection(): void {
    this.events.shouldKeepAlive = false
  }
}
