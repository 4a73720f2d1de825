import type { Slices } from '../exchange/slices.ts'
import { edgeSampleLimits } from '../limits.ts'

/** Processor time that a worker may spend on background work: it grows at a steady rate, up to a limit. */
export class CpuAllowance {
  #leftMs: number = edgeSampleLimits.cpuSavedMsMax
  #seenMs: number | undefined

  /** @returns whether time is left. Work may exceed it, and then the next work waits longer. */
  has(nowMs: number): boolean {
    const { cpuShare, cpuSavedMsMax } = edgeSampleLimits
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
 * Runs work in its slices and reports the milliseconds of each slice to `spent`. It measures elapsed time, because the
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
