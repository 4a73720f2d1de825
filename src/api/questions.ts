import type { FastifyReply } from 'fastify'
import { analyticsLimits } from '../kit/limits.ts'
import { refusal } from './errors.ts'
import { whenGone } from './gone.ts'

interface Waiting {
  readonly gone: AbortSignal
  readonly begin: () => void
}

/**
 * Lets questions to analytics wait for each other: they are answered one by one, and one that is with them cannot be
 * taken back. A page that is clicked through leaves many behind that nobody waits for any more; they are not asked.
 */
export class Questions {
  #asked = 0
  #waiting: Waiting[] = []

  /** @throws ApiError 503 when too many wait, or when who asked has left before */
  async ask<Answer>(reply: FastifyReply, question: () => Promise<Answer>): Promise<Answer> {
    const gone = whenGone(reply)
    if (this.#asked < analyticsLimits.askedMax) this.#asked++
    else await this.#turn(gone)
    try {
      if (gone.aborted) throw refusal('analyticsAway')
      return await question()
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
    if (next === undefined) this.#asked--
    else next.begin()
  }
}
