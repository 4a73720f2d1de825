import type { EdgeDeps } from '../exchange/deps.ts'
import type { RequestFacts } from '../exchange/facts.ts'
import { recordLimits } from '../limits.ts'

/** Admits requests while the record log has capacity for their records. */
export class RecordAdmission {
  readonly #deps: Pick<EdgeDeps, 'records' | 'clock' | 'logger'>
  /** Requests refused since the last log line. */
  #refused = 0
  #loggedMs = Number.NEGATIVE_INFINITY
  /** The last log line says that requests are refused. */
  #logged = false

  constructor(deps: Pick<EdgeDeps, 'records' | 'clock' | 'logger'>) {
    this.#deps = deps
  }

  /** @returns false for a request that must be refused without a record. Requests of no zone have no record anyway. */
  admits({ plan }: RequestFacts): boolean {
    const { full } = this.#deps.records
    if (full !== undefined && plan !== undefined) {
      this.#logRefused(full)
      return false
    }
    if (full === undefined && this.#logged) this.#logAdmitted()
    return true
  }

  #logRefused(reason: string): void {
    this.#refused++
    const nowMs = this.#deps.clock.nowMs()
    if (nowMs - this.#loggedMs < recordLimits.refusalsToldMs) return
    this.#deps.logger.error({ refused: this.#refused }, `requests are refused with 503: ${reason}`)
    this.#refused = 0
    this.#loggedMs = nowMs
    this.#logged = true
  }

  #logAdmitted(): void {
    this.#deps.logger.warn(
      { refused: this.#refused },
      'the record log has capacity again: requests are served',
    )
    this.#refused = 0
    this.#logged = false
  }
}
