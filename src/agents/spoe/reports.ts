import { BroadcastChannel } from 'node:worker_threads'
import type { AnswerVerdict, HeaderLines } from '../../edge/index.ts'
import type { ReadyDeps } from '../deps.ts'

interface Report {
  readonly rayId: string
  readonly status: number
  readonly headers: HeaderLines
}

type Told =
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'verdict'; readonly verdict: AnswerVerdict }

interface ReportDeps extends Pick<ReadyDeps, 'waiting' | 'counts' | 'logger'> {
  readonly limits: Pick<ReadyDeps['limits'], 'spoeThreadAnswerMs' | 'passedResponsesToldMs'>
}

/**
 * Reports of responses. HAProxy sends the report of a request over any of its connections, so the request may belong to
 * another thread of this process: that thread is asked.
 */
export class Reports {
  readonly #deps: ReportDeps
  readonly #channel = new BroadcastChannel('sluice: reports of responses')
  readonly #asked = new Map<string, (verdict: AnswerVerdict | undefined) => void>()
  #toldMs = Number.NEGATIVE_INFINITY
  #toldCount = 0

  constructor(deps: ReportDeps) {
    this.#deps = deps
    this.#channel.unref()
    this.#channel.onmessage = message => void this.#receive((message as { readonly data: Told }).data)
  }

  /** @returns undefined when no thread waits for this report */
  answered({ rayId, status, headers }: Report): Promise<AnswerVerdict | undefined> {
    const exchange = this.#deps.waiting(rayId)
    if (exchange !== undefined) return exchange.answered(status, headers)
    return new Promise(resolve => {
      // A thread that was busy itself reads first what came meanwhile.
      const pass = () => setImmediate(() => this.#pass(rayId))
      const timer = setTimeout(pass, this.#deps.limits.spoeThreadAnswerMs)
      this.#asked.set(rayId, verdict => {
        clearTimeout(timer)
        resolve(verdict)
      })
      this.#tell({ kind: 'report', report: { rayId, status, headers } })
    })
  }

  close(): void {
    this.#channel.close()
  }

  async #receive(told: Told): Promise<void> {
    if (told.kind === 'verdict') this.#settle(told.verdict.rayId, told.verdict)
    else {
      const { rayId, status, headers } = told.report
      const exchange = this.#deps.waiting(rayId)
      if (exchange !== undefined)
        this.#tell({ kind: 'verdict', verdict: await exchange.answered(status, headers) })
    }
  }

  #pass(rayId: string): void {
    if (!this.#asked.has(rayId)) return
    const { counts, logger, limits } = this.#deps
    counts.responsesPassed++
    const nowMs = performance.now()
    if (nowMs - this.#toldMs >= limits.passedResponsesToldMs) {
      this.#toldMs = nowMs
      const responses = counts.responsesPassed - this.#toldCount
      this.#toldCount = counts.responsesPassed
      logger.warn(
        { responses, ray: rayId },
        'responses passed without their rules: the worker of their requests was too busy to answer, or has ended',
      )
    }
    this.#settle(rayId, undefined)
  }

  #settle(rayId: string, verdict: AnswerVerdict | undefined): void {
    const settle = this.#asked.get(rayId)
    this.#asked.delete(rayId)
    settle?.(verdict)
  }

  #tell(told: Told): void {
    this.#channel.postMessage(told)
  }
}
