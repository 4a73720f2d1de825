import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { EdgeCore } from './core.ts'
import type { Exchange, OriginReport } from './exchange.ts'
import { flatHeaders, type HeaderLines, headerLines, responseHeadersForClient } from './headers.ts'
import { ResponseInspectionError, type ResponseInspector } from './inspect-response.ts'
import type { Upstream } from './origins.ts'
import { transformedHeaders } from './phases/response-head.ts'
import type { Verdict } from './verdict.ts'

export type RelayOutcome =
  /** The answer went to the client whole. */
  | { readonly kind: 'sent' }
  /** A response rule stopped it; nothing went out yet. */
  | { readonly kind: 'refused'; readonly verdict: NonNullable<Verdict> }
  /** Nothing went out yet unless `headSent`. */
  | { readonly kind: 'failed'; readonly error: Error; readonly headSent: boolean }
  | { readonly kind: 'client-gone' }
  | {
      readonly kind: 'upgraded'
      readonly socket: Duplex
      /** For the client. */
      readonly headers: HeaderLines
    }

/**
 * Carries one answer from the origin to the client as it comes, no faster than the client takes it. Holds it back
 * only when response rules want to see its body, and then up to a limit.
 */
export class Relay implements Dispatcher.DispatchHandler {
  readonly outcome: Promise<RelayOutcome>
  readonly #exchange: Exchange
  readonly #response: ServerResponse
  readonly #inspector: ResponseInspector | undefined
  readonly #core: EdgeCore
  readonly #report: OriginReport
  /** For the client. */
  #headers: HeaderLines = []
  #resolve!: (outcome: RelayOutcome | Promise<RelayOutcome>) => void
  #settled = false
  #controller: Dispatcher.DispatchController | undefined
  /** What of the body waits for the rules; undefined when they are through, or none look at the answer. */
  #held: Buffer[] | undefined
  #heldBytes = 0
  /** Settles when the rules are through with the phase that they are at; undefined when they are at none. */
  #inspecting: Promise<void> | undefined
  #ended = false
  #stalled: NodeJS.Timeout | undefined

  constructor(
    core: EdgeCore,
    exchange: Exchange,
    upstream: Upstream,
    response: ServerResponse,
    inspector: ResponseInspector | undefined,
  ) {
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
    exchange.origin = this.#report
    this.outcome = new Promise(resolve => {
      this.#resolve = resolve
    })
    // Before the listener that writes the record.
    response.prependOnceListener('close', this.#onClose)
    response.on('drain', this.#onDrain)
    // An answer that was ended while the client had yet to take it does not drain.
    response.once('close', () => clearTimeout(this.#stalled))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#settled) controller.abort(new Error('nobody waits for this answer'))
  }

  onRequestUpgrade(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    socket: Duplex,
  ): void {
    if (this.#began(controller, status)) this.#settle({ kind: 'upgraded', socket, headers: this.#headers })
    else socket.destroy()
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200 || this.#settled) return
    if (!this.#began(controller, status)) return
    if (this.#inspector === undefined) {
      this.#sendHead()
      return
    }
    const inspector = this.#inspector
    this.#held = []
    this.#inspect(inspector.head(status, this.#headers), () => {
      if (!inspector.wantsBody) this.#inspect(inspector.body(Buffer.alloc(0), true), () => this.#release())
      else this.#inspectHeld()
    })
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return
    this.#report.bodyBytes += chunk.length
    if (this.#held === undefined) {
      this.#write(chunk)
      return
    }
    this.#held.push(chunk)
    this.#heldBytes += chunk.length
    if (this.#inspecting === undefined) this.#inspectHeld()
  }

  onResponseEnd(): void {
    if (this.#settled) return
    this.#report.endedMs = this.#nowMs
    this.#ended = true
    if (this.#held === undefined) this.#finish()
    else if (this.#inspecting === undefined) this.#inspectHeld()
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#settle({ kind: 'failed', error, headSent: this.#response.headersSent })
  }

  /** @returns false when the rules for the head failed; then that is the outcome */
  #began(controller: Dispatcher.DispatchController, status: number): boolean {
    const rawHeaders = headerLines(controller.rawHeaders as Buffer[])
    this.#report.headMs = this.#nowMs
    this.#report.status = status
    this.#report.headers = rawHeaders
    const headers = responseHeadersForClient(rawHeaders, this.#exchange.rayId)
    try {
      const head = { status, headers, rawHeaders, errorType: '' }
      this.#headers = transformedHeaders(this.#core, this.#exchange, head)
      return true
    } catch (cause) {
      const error = new ResponseInspectionError(cause)
      this.#settle({ kind: 'failed', error, headSent: false })
      controller.abort(error)
      return false
    }
  }

  /** Goes on when the rules are through with a phase. Until then nothing more is read from the origin. */
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
        this.#settle({ kind: 'failed', error, headSent: this.#response.headersSent })
        this.#controller?.abort(error)
      })
  }

  #judged(verdict: Verdict, onward: () => void): void {
    if (verdict === undefined) onward()
    else this.#refuse(verdict)
  }

  /** Once the whole body is here, or as much of it as is inspected. */
  #inspectHeld(): void {
    const { inspectedResponseBytesMax } = this.#core.limits
    const complete = this.#heldBytes <= inspectedResponseBytesMax
    if (complete && !this.#ended) return
    const whole = Buffer.concat(this.#held!)
    const bytes = complete ? whole : whole.subarray(0, inspectedResponseBytesMax)
    this.#inspect(this.#inspector!.body(bytes, complete), () => this.#release())
  }

  /** The response phases are through: let go of what was held. */
  #release(): void {
    const held = this.#held!
    this.#held = undefined
    this.#sendHead()
    for (const chunk of held) this.#write(chunk)
    if (this.#ended) this.#finish()
  }

  #finish(): void {
    this.#response.end()
    this.#settle({ kind: 'sent' })
  }

  /** Unless the client has not taken what it has, or the rules are at the next phase. */
  #readOn(): void {
    if (!this.#settled && this.#inspecting === undefined && this.#stalled === undefined)
      this.#controller?.resume()
  }

  #refuse(verdict: NonNullable<Verdict>): void {
    this.#settle({ kind: 'refused', verdict })
    this.#controller?.abort(new Error('a response rule stopped the answer'))
  }

  #sendHead(): void {
    const headers = this.#headers
    this.#exchange.answered(this.#report.status, headers, this.#nowMs)
    if (this.#core.draining) this.#response.shouldKeepAlive = false
    this.#response.writeHead(this.#report.status, flatHeaders(headers))
    // With the first bytes of the body if they are here already; otherwise at once, for whoever waits for events.
    queueMicrotask(() => {
      if (this.#exchange.responseBodyBytes === 0 && !this.#response.writableEnded)
        this.#response.flushHeaders()
    })
  }

  #write(chunk: Buffer): void {
    this.#exchange.responseBodyBytes += chunk.length
    if (this.#response.write(chunk) || this.#response.destroyed) return
    this.#controller?.pause()
    this.#stalled ??= setTimeout(() => this.#response.destroy(), this.#core.limits.bodyIdleTimeoutMs)
  }

  get #nowMs(): number {
    return this.#core.deps.clock.nowMs()
  }

  readonly #onDrain = (): void => {
    clearTimeout(this.#stalled)
    this.#stalled = undefined
    this.#readOn()
  }

  readonly #onClose = (): void => {
    if (this.#settled) return
    this.#settle({ kind: 'client-gone' })
    this.#controller?.abort(new Error('the client went away'))
  }

  #settle(outcome: RelayOutcome): void {
    if (this.#settled) return
    this.#settled = true
    this.#response.off('close', this.#onClose)
    this.#report.endedMs ??= this.#nowMs
    this.#report.link ??= this.#core.origins.link(this.#report.upstream.url)
    // Rules that are at it are not left behind: the logging phase comes after them.
    this.#resolve(this.#inspecting === undefined ? outcome : this.#inspecting.then(() => outcome))
  }
}
