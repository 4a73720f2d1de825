import type { FastifyReply } from 'fastify'
import type { Clock } from '../../kit/clock.ts'
import { refusal } from '../http/errors.ts'
import { MinuteCounts } from '../http/minute-counts.ts'
import { logpullRequestLimits } from './limits.ts'

/**
 * How often records may be asked for, and by how many at once. Counted in this process.
 * @source Cloudflare, "Logpull: requesting logs", limits
 */
export class PullLimits {
  readonly #counts: MinuteCounts
  #answers = 0

  constructor(clock: Clock) {
    this.#counts = new MinuteCounts(clock, logpullRequestLimits.countersKept)
  }

  /**
   * @param reply is given `Retry-After`
   * @throws ApiError 429 when the zone or the user has asked too often
   */
  count(zoneId: string, userId: string, reply: FastifyReply): void {
    this.#countOne(`zone ${zoneId}`, 'zone', logpullRequestLimits.zoneRequestsMax, reply)
    this.#countOne(`user ${userId}`, 'user', logpullRequestLimits.userRequestsMax, reply)
  }

  /**
   * @returns to be called when the answer has ended; again does nothing
   * @throws ApiError 429
   */
  beginAnswer(): () => void {
    if (this.#answers >= logpullRequestLimits.readersMax)
      throw refusal('tooManyReaders', { limit: String(logpullRequestLimits.readersMax) })
    this.#answers++
    let ended = false
    return () => {
      if (!ended) this.#answers--
      ended = true
    }
  }

  #countOne(key: string, whom: string, max: number, reply: FastifyReply): void {
    const waitSeconds = this.#counts.count(key, max)
    if (waitSeconds === 0) return
    reply.header('retry-after', String(waitSeconds))
    throw refusal('tooManyPulls', { limit: String(max), whom, seconds: String(waitSeconds) })
  }
}
