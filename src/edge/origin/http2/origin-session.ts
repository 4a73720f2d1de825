import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type ClientSessionOptions,
  connect,
  constants,
} from 'node:http2'
import type { Socket } from 'node:net'
import { errors } from 'undici'
import type { EdgeLimits } from '../../exchange/deps.ts'
import type { OriginHandler, OriginRequest } from '../origin-client.ts'
import { OriginStream, type StreamOwner } from './origin-stream.ts'
import { requestFields } from './request-fields.ts'

/** A connection to an origin in HTTP/2. */
export class OriginSession implements StreamOwner {
  readonly #session: ClientHttp2Session
  readonly #scheme: string
  readonly #limits: EdgeLimits
  readonly #onCapacity: () => void
  #streams = 0
  #cancelled = 0
  /** Of a GOAWAY: the origin processes no later stream. */
  #lastStream = Number.POSITIVE_INFINITY

  /**
   * @param protocol of the origin's URL: `https:` or `http:`
   * @param onCapacity the session takes one more request than before
   */
  constructor(
    socket: Socket,
    protocol: string,
    limits: EdgeLimits,
    onCapacity: () => void,
    onClosed: () => void,
  ) {
    this.#scheme = protocol.slice(0, -1)
    this.#limits = limits
    this.#onCapacity = onCapacity
    // The socket is connected; the name is not used.
    const session = connect(`${protocol}//origin`, {
      ...optionsFor(limits),
      createConnection: () => socket,
    })
    this.#session = session
    session.once('connect', () => session.setLocalWindowSize(limits.originHttp2ConnectionWindowBytes))
    session.on('remoteSettings', onCapacity)
    session.on('goaway', (_code, lastStream) => {
      this.#lastStream = lastStream
    })
    // Streams report it.
    session.on('error', () => {})
    session.once('close', onClosed)
    session.setTimeout(limits.originHttp2IdleMs, () => {
      if (this.#streams === 0) this.close()
    })
  }

  get isIdle(): boolean {
    return this.#streams === 0
  }

  get hasCapacity(): boolean {
    const { closed, destroyed, remoteSettings } = this.#session
    const { originHttp2StreamsMax } = this.#limits
    const offered = remoteSettings?.maxConcurrentStreams ?? originHttp2StreamsMax
    return !closed && !destroyed && this.#streams < Math.min(offered, originHttp2StreamsMax)
  }

  start(request: OriginRequest, handler: OriginHandler): void {
    const endStream = request.body === null || (request.body as Uint8Array).length === 0
    let stream: ClientHttp2Stream
    try {
      stream = this.#session.request(requestFields(request, this.#scheme), { endStream })
    } catch (error) {
      // As undici has it for HTTP/1.1: nothing was sent.
      handler.onResponseError(undefined, new errors.InvalidArgumentError((error as Error).message))
      return
    }
    this.#streams++
    // Such a session may refuse every stream. It ends before the handler hears of it, because that may repeat the request.
    stream.once('error', () => {
      if (stream.rstCode === constants.NGHTTP2_ENHANCE_YOUR_CALM) this.close()
    })
    stream.once('close', () => {
      this.#streams--
      this.#onCapacity()
    })
    new OriginStream(stream, request, handler, this)
  }

  /** The connection may be dead, so further requests get another one. */
  timedOut(): void {
    this.close()
  }

  /** Few clients that cancel must not make the origin end a connection that others use. */
  cancelled(): void {
    if (++this.#cancelled >= this.#limits.originHttp2CancelsMax) this.close()
  }

  isUnprocessed({ id, rstCode }: ClientHttp2Stream): boolean {
    return rstCode === constants.NGHTTP2_REFUSED_STREAM || (id !== undefined && id > this.#lastStream)
  }

  /** Takes no further requests, and ends when it has no more. */
  close(): void {
    this.#session.close()
  }

  destroy(): void {
    this.#session.destroy()
  }
}

function optionsFor(limits: EdgeLimits): ClientSessionOptions {
  return {
    maxHeaderListPairs: limits.headersMax * 2,
    // More than a client's headers, because the edge and its rules add some.
    maxSendHeaderBlockLength: limits.headerBytesMax * 4,
    maxSessionMemory: limits.originHttp2SessionMegabytes,
    peerMaxConcurrentStreams: limits.originHttp2StreamsMax,
    // Requests of clients are passed as they are. node's types omit this.
    strictSingleValueFields: false,
    settings: {
      enablePush: false,
      initialWindowSize: limits.originHttp2WindowBytes,
      maxHeaderListSize: limits.originHeaderBytesMax,
    },
  } as ClientSessionOptions
}
