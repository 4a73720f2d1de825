import type { EventEmitter } from 'node:events'
import type { HeaderLines } from './headers.ts'

/** The client's side of one exchange. */
export interface ClientChannel {
  /** No response can reach the client any more. */
  readonly hasLeft: boolean
  /** Bytes of the response that were sent, with the bytes that its end still sends. */
  readonly responseBytes: number
}

/** The response to one request, in the version of HTTP that the client speaks. */
export interface ClientResponse extends ClientChannel {
  /** Emits `close` when nothing more is sent, `finish` after the last byte, `drain` when the client has read. */
  readonly events: Pick<EventEmitter, 'on' | 'once' | 'off' | 'prependOnceListener'>
  readonly headSent: boolean
  readonly destroyed: boolean
  readonly ended: boolean
  /** Written bytes wait for the client. */
  readonly needsDrain: boolean
  /** Bytes of the response have not left the edge yet, also after its end. */
  readonly isBackedUp: boolean
  /** The client understands interim responses and trailers. */
  readonly hasInterims: boolean
  /** Begins the response. The head is sent with the first bytes of the body, or by `flushHead`. */
  writeHead(status: number, headers: HeaderLines): void
  flushHead(): void
  /** Sends an interim response (RFC 9110 15.2). */
  writeInterim(status: number, headers: HeaderLines): void
  /**
   * @param part bytes, or a byte string
   * @returns false when the writer should wait for `drain`
   */
  write(part: Uint8Array | string): boolean
  /**
   * Keeps all further writes until `end`: the last bytes of a response, or all of a short one. Without these bytes the
   * client has no complete response.
   */
  holdLastBytes(): void
  /** Fixes the trailers, so that `responseBytes` is final. */
  prepareEnd(trailers: HeaderLines): void
  end(): void
  /** Breaks off, so that the client notices that the response is incomplete. */
  destroy(): void
  /** The connection accepts no further request after this one. */
  endConnection(): void
}
