import { wafLimits } from '../kit/limits.ts'

/** Bytes of work between two looks at the clock. */
const workBetweenLooks = 16_384

/** Counts the work of one request, and says when it has held the event loop long enough. */
export class Meter {
  readonly #workMax: number
  #work = 0
  #nextLook = workBetweenLooks
  #sliceStartedMs = 0

  constructor(workMax: number) {
    this.#workMax = workMax
  }

  /** @param bytes looked at or copied */
  spend(bytes: number): void {
    this.#work += bytes
  }

  get isUsedUp(): boolean {
    return this.#work > this.#workMax
  }

  /** Is it time to let others run? */
  get isDue(): boolean {
    if (this.#work < this.#nextLook) return false
    this.#nextLook = this.#work + workBetweenLooks
    const now = performance.now()
    if (this.#sliceStartedMs === 0) this.#sliceStartedMs = now
    return now - this.#sliceStartedMs >= wafLimits.sliceMs
  }

  /** A new slice begins. */
  resume(): void {
    this.#sliceStartedMs = performance.now()
  }
}
