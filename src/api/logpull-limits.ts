import type { FastifyReply } from 'fastify'
import type { Clock } from '../kit/clock.ts'
import { logpullLimits } from '../kit/limits.ts'
import { refusal } from './errors.ts'

const minuteMs = 60_000

interface Count {
  readonly untilMs: number
  requests: number
}

/**
 * How often records may be asked for, and by how many at once. A minute begins with the first request that is counted.
 * Counted in this process.
 * @source Cloudflare, "Logpull: requesting logs", limits
 */
export class PullLimits {
  readonly #clock: Clock
  readonly #counts = new Map<string, Count>()
  #answers = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * @param reply is given `Retry-After`
   * @throws ApiError 429 when the zone or the user has asked too often
   */
  count(zoneId: string, userId: string, reply: FastifyReply): void {
    this.#countOne(`zone ${zoneId}`, 'zone', logpullLimits.zoneRequestsMax, reply)
    this.#countOne(`user ${userId}`, 'user', logpullLimits.userRequestsMax, reply)
  }

  /**
   * @returns to be called when the answer has ended; again does nothing
   * @throws ApiError 429
   */
  beginAnswer(): () => void {
    if (this.#answers >= logpullLimits.readersMax)
      throw refusal('tooManyReaders', { limit: String(logpullLimits.readersMax) })
    this.#answers++
    let ended = false
    return () => {
      if (!ended) this.#answers--
      ended = true
    }
  }

  #countOne(key: string, whom: string, max: number, reply: FastifyReply): void {
    const nowMs = this.#clock.nowMs()
    let count = this.#counts.get(key)
    if (count === undefined || nowMs >= count.untilMs) {
      this.#forgetOld(nowMs)
      count = { untilMs: nowMs + minuteMs, requests: 0 }
      this.#counts.set(key, count)
    }
    if (count.requests >= max) {
      const seconds = String(Math.ceil((count.untilMs - nowMs) / 1000))
      reply.header('retry-after', seconds)
      throw refusal('tooManyPulls', { limit: String(max), whom, seconds })
    }
    count.requests++
  }

  #forgetOld(nowMs: number): void {
    if (this.#counts.size < logpullLimits.countersKept) return
    for (const [key, { untilMs }] of this.#counts) if (nowMs >= untilMs) this.#counts.delete(key)
  }
}
