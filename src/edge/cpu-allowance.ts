import { samplingLimits } from '../kit/limits.ts'
import type { Slices } from './slices.ts'

/** Processor time that a worker may spend beside its requests: it comes at a steady rate and is saved up a little. */
export class CpuAllowance {
  #leftMs: number = samplingLimits.cpuSavedMsMax
  #seenMs: number | undefined

  /** Is there any left? What begins may use more than there is; the next then waits longer. */
  has(nowMs: number): boolean {
    const { cpuShare, cpuSavedMsMax } = samplingLimits
    const passedMs = Math.max(0, nowMs - (this.#seenMs ?? nowMs))
    this.#seenMs = nowMs
    this.#leftMs = Math.min(cpuSavedMsMax, this.#leftMs + passedMs * cpuShare)
    return this.#leftMs > 0
  }

  spend(ms: number): void {
    this.#leftMs -= ms
  }
}

/**
 * Runs work in its slices and tells `spent` the milliseconds that each took: what a slice takes of the clock, since the
 * system counts the processor time of threads in ticks that are longer than a slice.
 */
export function* measured<Result>(work: Slices<Result>, spent: (ms: number) => void): Slices<Result> {
  for (;;) {
    const beganMs = performance.now()
    let step: IteratorResult<void, Result>
    try {
      step = work.next()
    } finally {
      spent(performance.now() - beganMs)
    }
    if (step.done === true) return step.value
    yield
  }
}
