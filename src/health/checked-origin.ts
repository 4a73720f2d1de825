import type { OriginHealth, Pool } from '../model/load-balancing.ts'
import type { CheckTarget, Finding } from './finding.ts'

/** An origin of a pool with the results of its checks. */
export class CheckedOrigin {
  pool: Pool
  target: CheckTarget
  /** It is not checked after that. */
  untilMs = Number.POSITIVE_INFINITY
  /** Undefined until enough checks agreed. */
  healthy: boolean | undefined
  #streak = 0
  #last: Finding | undefined
  #rttMs = 0

  constructor(pool: Pool, target: CheckTarget) {
    this.pool = pool
    this.target = target
  }

  /** @returns whether the origin has become healthy or unhealthy */
  note(finding: Finding, rttMs: number): boolean {
    const { consecutiveUp = 1, consecutiveDown = 1 } = this.target.monitor
    this.#streak = finding.healthy === this.#last?.healthy ? this.#streak + 1 : 1
    this.#last = finding
    this.#rttMs = rttMs
    if (finding.healthy === this.healthy) return false
    if (this.#streak < (finding.healthy ? consecutiveUp : consecutiveDown)) return false
    this.healthy = finding.healthy
    return true
  }

  /** For the health of its pool; undefined while it is not known. */
  get report(): OriginHealth | undefined {
    if (this.healthy === undefined || this.#last === undefined) return undefined
    const { address, port } = this.target.origin
    return {
      address,
      port,
      healthy: this.healthy,
      failureReason: this.#last.reason,
      responseCode: this.#last.status,
      rttMs: this.#rttMs,
    }
  }
}
