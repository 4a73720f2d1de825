import { wholeLogOf } from '../../model/log-name.ts'
import type { Health } from './health.ts'
import type { HeldLease } from './held-lease.ts'
import type { RunDeps } from './run-deps.ts'

/** Stores the health of a job in a log, or in a part of one. One write at a time, so that the newest health stays. */
export class HealthReports {
  readonly #deps: Pick<RunDeps, 'store' | 'onError'>
  readonly #jobId: number
  readonly #held: HeldLease
  #unstored: Health | undefined
  #storing: Promise<void> | undefined

  constructor(deps: Pick<RunDeps, 'store' | 'onError'>, jobId: number, held: HeldLease) {
    this.#deps = deps
    this.#jobId = jobId
    this.#held = held
  }

  /** A report that fails waits for `again`, or for a newer one. */
  store(health: Health): Promise<void> {
    this.#unstored = health
    return this.again()
  }

  /** Stores the newest health, unless the database has it. */
  again(): Promise<void> {
    this.#storing ??= this.#storeNewest().finally(() => {
      this.#storing = undefined
    })
    return this.#storing
  }

  async #storeNewest(): Promise<void> {
    const { log } = this.#held.lease
    const part = log === wholeLogOf(log) ? undefined : log
    while (this.#unstored !== undefined && !this.#held.isLost) {
      const health = this.#unstored
      try {
        await this.#deps.store.jobs.report(this.#jobId, health, part)
      } catch (error) {
        return this.#deps.onError('the health of a job cannot be stored; retrying', error)
      }
      if (this.#unstored === health) this.#unstored = undefined
    }
  }
}
