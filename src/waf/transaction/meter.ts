import { boundWork, workDone } from '../../regex/index.ts'
import { wafLimits } from '../limits.ts'

/** Bytes of work between two looks at the clock. */
const workBetweenLooks = 16_384

/** Counts the work of one request, and decides when it has held the event loop long enough. */
export class Meter {
  readonly #workMax: number
  /** The counted part of `workDone`. */
  #counted = 0
  #work = 0
  #nextLook = workBetweenLooks
  #sliceStartedMs = 0

  constructor(workMax: number) {
    this.#workMax = workMax
  }

  /** Instructions of patterns are counted separately. @param bytes read or copied */
  spend(bytes: number): void {
    this.#work += bytes
  }

  /** Used share of the budget, as of the last slice's end. */
  get share(): number {
    return this.#work / this.#workMax
  }

  get isUsedUp(): boolean {
    this.#count()
    return this.#work > this.#workMax
  }

  /** Whether others should run now. Looks at the clock from time to time. */
  get isDue(): boolean {
    this.#count()
    return this.#work >= this.#nextLook && this.isSliceOver
  }

  /** The same for use after some work: always looks at the clock. */
  get isSliceOver(): boolean {
    this.#nextLook = this.#work + workBetweenLooks
    const now = performance.now()
    if (this.#sliceStartedMs === 0) this.#sliceStartedMs = now
    return now - this.#sliceStartedMs >= wafLimits.sliceMs
  }

  /** Begins the first slice of a phase. From here on patterns throw WorkExceededError when the work is used up. */
  begin(): void {
    this.#counted = workDone()
    boundWork(Math.max(0, this.#workMax - this.#work))
  }

  /** Ends a slice: others have their turn, or the phase is over. */
  pause(): void {
    this.#count()
    boundWork(Number.POSITIVE_INFINITY)
  }

  /** A new slice begins. */
  resume(): void {
    this.begin()
    this.#sliceStartedMs = performance.now()
  }

  /** Lets others run. */
  *rest(): Generator<void, void, void> {
    this.pause()
    yield
    this.resume()
  }

  /** Lets others run between two steps of long work. */
  *inSlices<Result>(work: Generator<void, Result, void>): Generator<void, Result, void> {
    for (;;) {
      const step = work.next()
      if (step.done === true) return step.value
      if (this.isSliceOver) yield* this.rest()
    }
  }

  /** The cost of patterns beyond the bytes that they read. */
  #count(): void {
    const done = workDone()
    this.#work += done - this.#counted
    this.#counted = done
  }
}
