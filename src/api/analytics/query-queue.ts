import type { FastifyReply } from 'fastify'
import { analyticsLimits } from '../../analytics/limits.ts'
import { disconnectSignal } from '../http/disconnect.ts'
import { refusal } from '../http/errors.ts'

interface Waiting {
  readonly gone: AbortSignal
  readonly begin: () => void
}

/**
 * Queues queries of analytics: only some run at a time, and a running query cannot be cancelled. Queries whose client
 * has disconnected are dropped, such as those of pages that a user clicked through.
 */
export class QueryQueue {
  readonly #runningMax: number
  #running = 0
  #waiting: Waiting[] = []

  constructor(runningMax: number) {
    this.#runningMax = runningMax
  }

  /** @throws ApiError 503 if too many queries wait, or if the client disconnected before its turn */
  async run<Answer>(reply: FastifyReply, query: () => Promise<Answer>): Promise<Answer> {
    const gone = disconnectSignal(reply)
    if (this.#running < this.#runningMax) this.#running++
    else await this.#turn(gone)
    try {
      if (gone.aborted) throw refusal('analyticsAway')
      return await query()
    } finally {
      this.#next()
    }
  }

  #turn(gone: AbortSignal): Promise<void> {
    this.#waiting = this.#waiting.filter(one => !one.gone.aborted)
    if (this.#waiting.length >= analyticsLimits.waitingMax) throw refusal('analyticsAway')
    return new Promise(begin => this.#waiting.push({ gone, begin }))
  }

  #next(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#running--
    else next.begin()
  }
}
