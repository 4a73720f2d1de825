import { type ClientHttp2Stream, constants } from 'node:http2'
import { addAbortSignal, Readable } from 'node:stream'
import { type Dispatcher, errors } from 'undici'
import { firstHeader, headerLines } from '../../message/headers.ts'
import type { OriginHandler, OriginRequest } from '../origin-client.ts'

/**
 * Destroys a stream with CANCEL. `close` would end the body before the reset, so that a part of it would look whole to the
 * origin.
 */
const aborted = AbortSignal.abort()

/** The stream or its connection broke. */
class OriginStreamError extends Error {
  override readonly name = 'OriginStreamError'
  /** The first: the origin has not processed the request. The second: it is too much for the origin. */
  readonly code: 'ERR_STREAM_REFUSED' | 'ERR_STREAM_EXCESSIVE' | 'ECONNRESET'

  constructor(code: OriginStreamError['code'], cause: Error | undefined) {
    const isRefused = code === 'ERR_STREAM_REFUSED'
    super(isRefused ? 'the origin refused the stream' : 'the origin broke off the stream', { cause })
    this.code = code
  }
}

/** The connection of a stream. */
export interface StreamOwner {
  /** The origin was silent for too long. */
  timedOut(): void
  /** The edge cancels the stream. */
  cancelled(): void
  /** The origin has said that it has not processed the stream. */
  isUnprocessed(stream: ClientHttp2Stream): boolean
}

/** One request on a connection in HTTP/2. Passes the response to a handler, as undici does for HTTP/1.1. */
export class OriginStream implements Dispatcher.DispatchController {
  rawHeaders: string[] = []
  rawTrailers: string[] = []
  readonly #stream: ClientHttp2Stream
  readonly #request: OriginRequest
  readonly #handler: OriginHandler
  readonly #owner: StreamOwner
  #timer: NodeJS.Timeout
  #answered = false
  #ended = false
  /** Bytes of the body that are still to come; infinite when the origin did not announce them. */
  #bytesLeft = Number.POSITIVE_INFINITY
  #isSending: boolean

  constructor(stream: ClientHttp2Stream, request: OriginRequest, handler: OriginHandler, owner: StreamOwner) {
    this.#owner = owner
    this.#stream = stream
    this.#request = request
    this.#handler = handler
    const { body } = request
    this.#isSending = body instanceof Readable
    this.#timer = setTimeout(this.#onTimeout, request.headersTimeout!)
    stream.on('headers', (_headers, _flags, raw: string[]) => this.#interim(raw))
    stream.once('response', (_headers, flags, raw: string[]) =>
      this.#began(raw, (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0),
    )
    stream.once('trailers', (_headers, _flags, raw: string[]) => {
      this.rawTrailers = raw
    })
    stream.once('end', () => this.#complete())
    stream.once('error', error => this.#fail(this.#brokenBy(error)))
    stream.once('close', () => this.#fail(this.#brokenBy(undefined)))
    handler.onRequestStart?.(this, {})
    if (!this.#ended) this.#send(body)
  }

  get aborted(): boolean {
    return this.#ended
  }

  get paused(): boolean {
    return this.#stream.isPaused()
  }

  get reason(): null {
    return null
  }

  pause(): void {
    this.#stream.pause()
  }

  resume(): void {
    this.#stream.resume()
    this.#timer.refresh()
  }

  abort(reason: Error): void {
    this.#fail(reason)
  }

  #send(body: OriginRequest['body']): void {
    const stream = this.#stream
    if (!(body instanceof Readable)) {
      if (body instanceof Uint8Array && body.length > 0) stream.end(body)
      return
    }
    body.on('data', () => this.#timer.refresh())
    body.once('end', () => {
      this.#isSending = false
      this.#timer.refresh()
    })
    body.once('error', error => this.#fail(error))
    body.pipe(stream)
  }

  #interim(raw: string[]): void {
    if (this.#ended) return
    this.#handler.onResponseStart?.(this, this.#takeHead(raw), {})
  }

  #began(raw: string[], isWhole: boolean): void {
    if (this.#ended) return
    this.#answered = true
    const status = this.#takeHead(raw)
    if (isWhole) this.#announceEmpty(status)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#onTimeout, this.#request.bodyTimeout!)
    this.#bytesLeft = announcedBytes(raw, status, this.#request.method)
    this.#handler.onResponseStart?.(this, status, {})
    if (!this.#ended) this.#stream.on('data', (chunk: Buffer) => this.#took(chunk))
  }

  #takeHead(raw: string[]): number {
    this.rawHeaders = raw.slice(2)
    return Number(raw[1])
  }

  /** The response ends with its head. The client has to see that, too: gRPC then takes the head for trailers. */
  #announceEmpty(status: number): void {
    if (this.#request.method === 'HEAD' || status === 204 || status === 304) return
    if (firstHeader(headerLines(this.rawHeaders), 'content-length') === undefined)
      this.rawHeaders.push('content-length', '0')
  }

  #took(chunk: Buffer): void {
    if (this.#ended) return
    this.#timer.refresh()
    this.#bytesLeft -= chunk.length
    this.#handler.onResponseData?.(this, chunk)
  }

  /** node also emits `end` for a stream that broke off. */
  #complete(): void {
    const { aborted, rstCode } = this.#stream
    const isComplete =
      this.#answered &&
      !aborted &&
      rstCode === constants.NGHTTP2_NO_ERROR &&
      (this.#bytesLeft <= 0 || this.#bytesLeft === Number.POSITIVE_INFINITY)
    if (!isComplete || !this.#end()) return
    // The origin needs no more of the body (RFC 9113 8.1).
    if (!this.#stream.writableFinished) this.#stream.destroy()
    this.#handler.onResponseEnd?.(this, {})
  }

  readonly #onTimeout = (): void => {
    if (this.#ended) return
    // The time counts while the origin could send or read.
    const isWaitedFor = this.#answered ? !this.paused : !this.#isSending || this.#stream.writableNeedDrain
    if (!isWaitedFor) {
      this.#timer.refresh()
      return
    }
    this.#owner.timedOut()
    this.#fail(this.#answered ? new errors.BodyTimeoutError() : new errors.HeadersTimeoutError())
  }

  #brokenBy(error: Error | undefined): Error {
    const isExcessive = !this.#answered && this.#stream.rstCode === constants.NGHTTP2_ENHANCE_YOUR_CALM
    const isRefused = this.#owner.isUnprocessed(this.#stream)
    const code = isRefused ? 'ERR_STREAM_REFUSED' : isExcessive ? 'ERR_STREAM_EXCESSIVE' : 'ECONNRESET'
    return new OriginStreamError(code, error)
  }

  #fail(error: Error): void {
    if (!this.#end()) return
    if (!this.#stream.closed) {
      addAbortSignal(aborted, this.#stream)
      this.#owner.cancelled()
    }
    this.#handler.onResponseError(this, error)
  }

  /** @returns false when it has already ended */
  #end(): boolean {
    if (this.#ended) return false
    this.#ended = true
    clearTimeout(this.#timer)
    const { body } = this.#request
    if (body instanceof Readable) body.destroy()
    return true
  }
}

/** Infinite when the response does not announce its length, or has no body. */
function announcedBytes(raw: readonly string[], status: number, method: string): number {
  if (method === 'HEAD' || status === 204 || status === 304) return Number.POSITIVE_INFINITY
  return Number(firstHeader(headerLines(raw), 'content-length') ?? Number.POSITIVE_INFINITY)
}
