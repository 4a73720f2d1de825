import type { Clock } from '../../kit/clock.ts'

const minuteMs = 60_000

interface Count {
  readonly untilMs: number
  count: number
}

/**
 * Counts by key within a minute, which begins with the first count of the key. Each process counts separately.
 */
export class MinuteCounts {
  readonly #clock: Clock
  readonly #keysMax: number
  readonly #counts = new Map<string, Count>()

  /** @param keysMax if there are more keys, the oldest counts are deleted */
  constructor(clock: Clock, keysMax: number) {
    this.#clock = clock
    this.#keysMax = keysMax
  }

  /** @returns 0 if it was counted; beyond `max`, the seconds until the minute ends */
  count(key: string, max: number): number {
    const nowMs = this.#clock.nowMs()
    let count = this.#counts.get(key)
    if (count === undefined || nowMs >= count.untilMs) {
      this.#counts.delete(key)
      this.#forgetOldest()
      count = { untilMs: nowMs + minuteMs, count: 0 }
      this.#counts.set(key, count)
    }
    if (count.count >= max) return Math.ceil((count.untilMs - nowMs) / 1000)
    count.count++
    return 0
  }

  /** The oldest is the first. */
  #forgetOldest(): void {
    if (this.#counts.size < this.#keysMax) return
    for (const key of this.#counts.keys()) return void this.#counts.delete(key)
  }
}
