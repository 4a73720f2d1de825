import type { Duplex } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { OriginReport, Upstream } from '../exchange/answer.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import type { Span } from '../measures/spans.ts'
import type { ClientResponse } from '../message/client-response.ts'
import { firstHeader, type HeaderLines, headerLines, joinedHeader } from '../message/headers.ts'
import { type Recoding, recodingFor } from '../phases/compression.ts'
import { type CustomError, customErrorFor } from '../phases/custom-errors.ts'
import { ResponseInspectionError, transformedHeaders } from '../phases/response-head.ts'
import { endRecorded } from '../records/recording.ts'
import type { OriginHandler } from './origin-client.ts'
import {
  informationForClient,
  noContent,
  notModified,
  resetContent,
  responseHeadersForClient,
  trailersForClient,
} from './origin-headers.ts'
import type { Slot } from './origin-slots.ts'
import type { OriginCore } from './origins.ts'
import { RecodedBody } from './recoding/recoded-body.ts'
import { InvalidStatusError, OriginStalledError } from './relay-errors.ts'

/** The response phases, as a relay runs them. Errors are `ResponseInspectionError` or `ClientBodyError`. */
export interface RelayInspector {
  head(status: number, headers: HeaderLines): Verdict | Promise<Verdict>
  /** The body is inspected too. Known after `head`. */
  readonly wantsBody: boolean
  /** Called once, with an empty body when none is wanted. */
  body(bytes: Uint8Array, complete: boolean): Verdict | Promise<Verdict>
}

export type RelayOutcome =
  /** The complete response was sent to the client. */
  | { readonly kind: 'sent' }
  /** A custom error rule replaces the response, before any of it was sent. */
  | { readonly kind: 'replaced'; readonly error: CustomError }
  /** A response rule stopped the response before any of it was sent. */
  | { readonly kind: 'refused'; readonly verdict: NonNullable<Verdict> }
  /** Nothing was sent unless `headSent`. */
  | { readonly kind: 'failed'; readonly error: Error; readonly headSent: boolean }
  | { readonly kind: 'client-gone' }
  | {
      readonly kind: 'upgraded'
      readonly socket: Duplex
      /** Headers for the client. */
      readonly headers: HeaderLines
    }

/** Where a response comes from, and what it needs on its way. */
export interface RelayPlan {
  readonly upstream: Upstream
  /** A Set-Cookie line that the response gets. */
  readonly cookie: string | undefined
  readonly inspector: RelayInspector | undefined
  readonly slot: Slot
}

/**
 * Streams one response from the origin to the client, no faster than the client reads it. Holds the response back only
 * when response rules inspect its body, and then up to a limit.
 */
export class Relay implements OriginHandler {
  readonly outcome: Promise<RelayOutcome>
  readonly #exchange: Exchange
  readonly #response: ClientResponse
  readonly #inspector: RelayInspector | undefined
  readonly #core: OriginCore
  readonly #report: OriginReport
  /** Held until undici has finished the request, even when its client has left. */
  readonly #slot: Slot
  readonly #cookie: string | undefined
  /** Replaces the response. */
  #error: CustomError | undefined
  /** Headers for the client. */
  #headers: HeaderLines = []
  #recoding: Recoding | undefined
  /** Undefined while the body is sent as the origin encoded it. */
  #recoded: RecodedBody | undefined
  #resolve!: (outcome: RelayOutcome | Promise<RelayOutcome>) => void
  #settled = false
  #controller: Dispatcher.DispatchController | undefined
  /** The part of the body that waits for the rules; undefined when no rules inspect the response any more. */
  #held: Buffer[] | undefined
  #heldBytes = 0
  /** Of the response phase while it holds the response. */
  #phaseSpan: Span | undefined
  /** Length of the body for the client; infinite when it is unknown. */
  #bodyBytesWhole = Number.POSITIVE_INFINITY
  /** Settles when the running response phase ends; undefined when none runs. */
  #inspecting: Promise<void> | undefined
  #ended = false
  #droppedBytes = 0
  /** Trailers for the client. */
  #trailers: HeaderLines = []
  #stalled: NodeJS.Timeout | undefined

  constructor(
    core: OriginCore,
    exchange: Exchange,
    response: ClientResponse,
    { upstream, cookie, inspector, slot }: RelayPlan,
  ) {
    this.#slot = slot
    this.#cookie = cookie
    this.#core = core
    this.#exchange = exchange
    this.#response = response
    this.#inspector = inspector
    this.#report = {
      upstream,
      startedMs: this.#nowMs,
      headMs: undefined,
      endedMs: undefined,
      status: 0,
      headers: [],
      bodyBytes: 0,
      link: undefined,
    }
    exchange.answer.origin = this.#report
    this.outcome = new Promise(resolve => {
      this.#resolve = resolve
    })
    // Must run before the listener that writes the record.
    response.events.prependOnceListener('close', this.#onClose)
  }

  /** The response is still needed. */
  get isWanted(): boolean {
    return !this.#settled
  }

  /** The origin does not read the request. While the edge waits for it, it cannot notice that its client leaves. */
  originStalled(): void {
    if (this.#settled || this.#report.headMs !== undefined) return
    const error = new OriginStalledError()
    this.#settle({ kind: 'failed', error, headSent: false })
    this.#controller?.abort(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#settled) controller.abort(new Error('the response is not needed any more'))
  }

  onRequestUpgrade(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    socket: Duplex,
  ): void {
    socket.once('close', () => this.#slot.release())
    if (this.#began(controller, status)) this.#settle({ kind: 'upgraded', socket, headers: this.#headers })
    else socket.destroy()
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (this.#settled) return
    if (status < 100 || status > 599) {
      this.#report.status = status
      this.#fail(controller, new InvalidStatusError(status))
      return
    }
    if (status < 200) {
      if (status === 103) this.#passHints(controller)
      return
    }
    if (!this.#began(controller, status)) return
    if (this.#inspector === undefined) {
      this.#release()
      return
    }
    const inspector = this.#inspector
    this.#held = []
    this.#phaseSpan = this.#exchange.span?.child('http_response_firewall_managed', 'internal')
    this.#inspect(inspector.head(status, this.#headers), () => {
      // No client receives the body of a replaced response.
      if (!inspector.wantsBody || this.#error !== undefined)
        this.#inspect(inspector.body(Buffer.alloc(0), true), () => this.#release())
      else this.#inspectHeld()
    })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) {
      this.#drop(controller, chunk)
      return
    }
    this.#report.bodyBytes += chunk.length
    if (this.#held === undefined) {
      this.#write(chunk)
      return
    }
    this.#held.push(chunk)
    this.#heldBytes += chunk.length
    if (this.#inspecting === undefined) this.#inspectHeld()
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    this.#slot.release()
    if (this.#settled) return
    this.#trailers = trailersForClient(headerLines((controller.rawTrailers ?? []) as Buffer[]))
    this.#report.endedMs = this.#nowMs
    this.#ended = true
    if (this.#held === undefined) this.#finish()
    else if (this.#inspecting === undefined) this.#inspectHeld()
  }

  onResponseError(controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (controller !== undefined && this.#isWholeWithoutBody(error)) {
      this.onResponseEnd(controller)
      return
    }
    this.#slot.release()
    this.#settle({ kind: 'failed', error, headSent: this.#response.headSent })
  }

  /** undici expects a body of the announced length after a 204 or 304 too, which have none (RFC 9110 8.6). */
  #isWholeWithoutBody(error: Error): boolean {
    const { status, bodyBytes } = this.#report
    const isMismatch = 'code' in error && error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
    return isMismatch && hasNoBody(status) && bodyBytes === 0
  }

  /** @returns false when the rules for the head failed, which settles the outcome */
  #began(controller: Dispatcher.DispatchController, status: number): boolean {
    const rawHeaders = headerLines(controller.rawHeaders as Buffer[])
    this.#report.headMs = this.#nowMs
    this.#report.status = status
    this.#report.headers = rawHeaders
    const headers = responseHeadersForClient(rawHeaders, this.#exchange.facts.rayId, status)
    if (this.#cookie !== undefined) headers.push(['Set-Cookie', this.#cookie])
    try {
      const { originFirstByteMs } = this.#exchange.answer
      const head = { status, headers, rawHeaders, errorType: '', errorCode: 0, originFirstByteMs }
      this.#error = customErrorFor(this.#core, this.#exchange, head)
      this.#headers = headers
      // The rules for headers see the page when it is sent.
      if (this.#error !== undefined) return true
      this.#headers = transformedHeaders(this.#core, this.#exchange, head)
      this.#recoding = recodingFor(this.#core, this.#exchange, status, this.#headers)
      return true
    } catch (cause) {
      this.#fail(controller, new ResponseInspectionError(cause))
      return false
    }
  }

  /** Nothing of the response was sent yet. */
  #fail(controller: Dispatcher.DispatchController, error: Error): void {
    this.#settle({ kind: 'failed', error, headSent: false })
    controller.abort(error)
  }

  /** Calls `onward` after the phase. Until then, nothing more is read from the origin. */
  #inspect(verdict: Verdict | Promise<Verdict>, onward: () => void): void {
    if (!(verdict instanceof Promise)) {
      this.#judged(verdict, onward)
      return
    }
    this.#controller?.pause()
    this.#inspecting = verdict
      .then(late => {
        this.#inspecting = undefined
        if (this.#settled) return
        this.#judged(late, onward)
        this.#readOn()
      })
      .catch(error => {
        this.#inspecting = undefined
        this.#settle({ kind: 'failed', error, headSent: this.#response.headSent })
        this.#controller?.abort(error)
      })
  }

  #judged(verdict: Verdict, onward: () => void): void {
    if (verdict === undefined) onward()
    else this.#refuse(verdict)
  }

  /** Inspects the body once all of it, or the inspected part, has arrived. */
  #inspectHeld(): void {
    const { inspectedResponseBytesMax } = this.#core.limits
    const complete = this.#heldBytes <= inspectedResponseBytesMax
    if (complete && !this.#ended) return
    const whole = Buffer.concat(this.#held!)
    const bytes = complete ? whole : whole.subarray(0, inspectedResponseBytesMax)
    this.#inspect(this.#inspector!.body(bytes, complete), () => this.#release())
  }

  /** Sends the held part after the response phases, or the page in place of the response. */
  #release(): void {
    this.#endPhase()
    const held = this.#held ?? []
    this.#held = undefined
    if (this.#error !== undefined) {
      this.#settle({ kind: 'replaced', error: this.#error })
      this.#dropRest()
      return
    }
    this.#sendHead()
    for (const chunk of held) this.#write(chunk)
    if (this.#ended) this.#finish()
  }

  /** Forwards Early Hints (RFC 8297) at once, unless rules still inspect the response. */
  #passHints(controller: Dispatcher.DispatchController): void {
    if (this.#inspector !== undefined || !this.#response.hasInterims || this.#response.needsDrain) return
    const headers = headerLines(controller.rawHeaders as Buffer[])
    this.#response.writeInterim(103, informationForClient(headers))
  }

  /** Reads on, so that the connection stays usable, and the slot is released. */
  #dropRest(): void {
    if (!this.#ended) this.#controller?.resume()
  }

  /** Drops bytes that no client gets: a short rest is read to its end, a longer one costs its connection. */
  #drop(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#report.bodyBytes += chunk.length
    this.#droppedBytes += chunk.length
    if (this.#droppedBytes > this.#core.limits.droppedResponseBytesMax)
      controller.abort(new Error('the rest of the response is not needed'))
  }

  /** The origin's part has ended. */
  #finish(): void {
    if (this.#recoded === undefined) this.#complete()
    else this.#recoded.end()
  }

  #complete(): void {
    this.#settle({ kind: 'sent' })
    if (this.#exchange.answer.bodyBytes === 0) this.#response.flushHead()
    void endRecorded(this.#core, this.#exchange, this.#response, this.#trailers)
  }

  /** Resumes reading, unless the client is too slow or a response phase runs. */
  #readOn(): void {
    if (this.#settled || this.#inspecting !== undefined || this.#stalled !== undefined) return
    if (this.#recoded?.isFull !== true) this.#controller?.resume()
  }

  #refuse(verdict: NonNullable<Verdict>): void {
    this.#settle({ kind: 'refused', verdict })
    this.#controller?.abort(new Error('a response rule stopped the response'))
  }

  #sendHead(): void {
    if (this.#recoding !== undefined) this.#recode(this.#recoding)
    const headers = this.#announcesTrailers
      ? [...this.#headers, ['Trailer', joinedHeader(this.#report.headers, 'trailer')!] as const]
      : this.#headers
    this.#exchange.answer.begin(this.#report.status, headers, this.#nowMs)
    if (this.#core.draining) this.#response.endConnection()
    this.#response.writeHead(this.#report.status, headers)
    this.#bodyBytesWhole = bodyBytesOf(this.#exchange.facts.request.method, this.#report.status, headers)
    if (this.#bodyBytesWhole === 0) this.#response.holdLastBytes()
    // The head is sent with the first bytes of the body when these are already here, otherwise at once: a client may wait
    // for server-sent events.
    queueMicrotask(() => {
      if (this.#report.bodyBytes === 0 && !this.#response.ended) this.#response.flushHead()
    })
  }

  #recode({ from, to, headers }: Recoding): void {
    this.#headers = headers
    if (from === to || this.#exchange.facts.request.method === 'HEAD') return
    this.#recoded = new RecodedBody({ from, to }, this.#core.limits.compressionFlushMs, {
      write: part => this.#send(part),
      ended: plainBytes => {
        const { answer } = this.#exchange
        if (answer.bodyBytes > 0) answer.compressionRatio = plainBytes / answer.bodyBytes
        this.#complete()
        this.#dropRest()
      },
      drained: () => this.#readOn(),
      failed: error => {
        this.#settle({ kind: 'failed', error, headSent: this.#response.headSent })
        this.#controller?.abort(error)
      },
    })
  }

  /** node refuses the header for a response that cannot have trailers. */
  get #announcesTrailers(): boolean {
    const { status, headers } = this.#report
    return (
      joinedHeader(headers, 'trailer') !== undefined &&
      joinedHeader(this.#headers, 'content-length') === undefined &&
      this.#response.hasInterims &&
      this.#exchange.facts.request.method !== 'HEAD' &&
      !hasNoBody(status)
    )
  }

  /** Passes on a part of the origin's body. */
  #write(chunk: Buffer): void {
    if (this.#report.status === resetContent) return
    if (this.#recoded === undefined) {
      if (!this.#send(chunk)) this.#controller?.pause()
      return
    }
    this.#recoded.write(chunk)
    if (this.#recoded.isFull) this.#controller?.pause()
  }

  /** @returns false when the client has to read before it gets more */
  #send(chunk: Buffer): boolean {
    const { answer } = this.#exchange
    answer.bodyBytes += chunk.length
    const isLast = answer.bodyBytes >= this.#bodyBytesWhole
    if (isLast) this.#response.holdLastBytes()
    if (this.#response.write(chunk) || this.#response.destroyed) return true
    const { tunnelIdleTimeoutMs, bodyIdleTimeoutMs } = this.#core.limits
    const unreadMs = this.#exchange.facts.isGrpc ? tunnelIdleTimeoutMs : bodyIdleTimeoutMs
    if (this.#stalled === undefined) {
      this.#stalled = setTimeout(() => this.#response.destroy(), unreadMs)
      this.#response.events.once('drain', () => this.#drained())
    }
    // After the last chunk, only the end is left to read.
    return isLast
  }

  get #nowMs(): number {
    return this.#core.deps.clock.nowMs()
  }

  #drained(): void {
    clearTimeout(this.#stalled)
    this.#stalled = undefined
    this.#recoded?.resume()
    this.#readOn()
  }

  readonly #onClose = (): void => {
    // A response that ends before the client has read it emits no `drain`.
    if (this.#stalled !== undefined) clearTimeout(this.#stalled)
    if (this.#settled) return
    this.#exchange.answer.brokeOff = 'client'
    this.#settle({ kind: 'client-gone' })
    this.#controller?.abort(new Error('the client went away'))
  }

  #endPhase(): void {
    this.#phaseSpan?.end()
    this.#phaseSpan = undefined
  }

  #settle(outcome: RelayOutcome): void {
    if (this.#settled) return
    this.#settled = true
    this.#endPhase()
    this.#recoded?.destroy()
    this.#report.endedMs ??= this.#nowMs
    this.#report.link ??= this.#core.origins.link(this.#report.upstream)
    // Waits for a running response phase, because the logging phase must come after it.
    this.#resolve(this.#inspecting === undefined ? outcome : this.#inspecting.then(() => outcome))
  }
}

/** Infinite when the response does not announce its length. */
function bodyBytesOf(method: string, status: number, headers: HeaderLines): number {
  if (method === 'HEAD' || hasNoBody(status)) return 0
  return Number(firstHeader(headers, 'content-length') ?? Number.POSITIVE_INFINITY)
}

function hasNoBody(status: number): boolean {
  return status === noContent || status === notModified
}
