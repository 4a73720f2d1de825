import type { Clock } from '../../kit/clock.ts'
import type { DeliveryLag } from '../../store/port/delivery.ts'
import type { Store } from '../../store/port.ts'
import type { JobLag } from '../types.ts'
import { hourOf } from './counts.ts'

/** How often a lag that has grown is stored. */
const writeMs = 60_000

/** The longest lag of each job in the current hour, and of hours that are not stored yet. */
export class Lags {
  readonly #store: Store
  readonly #clock: Clock
  #hour = ''
  /** By job, in the current hour. */
  #longest = new Map<number, number>()
  #waiting = new Map<string, DeliveryLag>()
  #writtenMs = 0

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  see(lags: Iterable<JobLag>): void {
    const hour = hourOf(this.#clock.nowMs())
    if (hour !== this.#hour) {
      this.#hour = hour
      this.#longest = new Map()
    }
    for (const { jobId, lagSeconds } of lags) {
      const seconds = Math.floor(lagSeconds)
      if (seconds <= (this.#longest.get(jobId) ?? -1)) continue
      this.#longest.set(jobId, seconds)
      this.#waiting.set(`${jobId} ${hour}`, { jobId, hour, secondsMax: seconds })
    }
  }

  /** Stores lags that have grown, if it is time to. After a failure they are stored the next time. */
  async flush(now = false): Promise<void> {
    const nowMs = this.#clock.nowMs()
    if (this.#waiting.size === 0 || (!now && nowMs < this.#writtenMs + writeMs)) return
    const writing = this.#waiting
    this.#waiting = new Map()
    try {
      await this.#store.delivery.raiseLags([...writing.values()])
    } catch (error) {
      this.#waiting = new Map([...writing, ...this.#waiting])
      throw error
    }
    this.#writtenMs = nowMs
  }
}

/** One for each job: the longest of the parts that this process delivers, and paused when one of them is. */
export function longestLags(lags: readonly JobLag[]): readonly JobLag[] {
  const longest = new Map<number, JobLag>()
  for (const lag of lags) {
    const { jobId, lagSeconds, paused } = longest.get(lag.jobId) ?? lag
    longest.set(jobId, {
      jobId,
      lagSeconds: Math.max(lag.lagSeconds, lagSeconds),
      paused: lag.paused || paused,
    })
  }
  return [...longest.values()]
}
