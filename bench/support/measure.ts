import { getHeapStatistics } from 'node:v8'
import { waitedMs } from './waiting.ts'

/** Duration of calls, in microseconds, without time in which others had the processor. */
export interface Timing {
  readonly p50: number
  readonly p99: number
  /** Average processor time of the whole process per call, including garbage collection and compilation. */
  readonly cpu: number
  readonly calls: number
}

interface Budget {
  /** Untimed, until the code is compiled and caches are filled. */
  readonly warmUpMs: number
  readonly measuredMs: number
}

/** Calls prepared ahead of time, so that making their input is not timed. */
const BATCH = 64

/** A shorter call has hardly been interrupted. It is not checked, because the check takes longer than some calls. */
const LONG_MS = 0.2

/** Times `run` call by call, each with a new input from `make`, until the time is up. */
export function measure<T>(make: () => T, run: (input: T) => void, budget: Budget): Timing {
  repeat(make, run, budget.warmUpMs, [])
  const times: number[] = []
  const cpu = repeat(make, run, budget.measuredMs, times)
  times.sort((a, b) => a - b)
  return {
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    cpu: cpu / times.length,
    calls: times.length,
  }
}

/** @returns processor time, in microseconds */
function repeat<T>(make: () => T, run: (input: T) => void, forMs: number, times: number[]): number {
  const end = performance.now() + forMs
  let cpu = 0
  while (performance.now() < end) {
    const inputs = Array.from({ length: BATCH }, make)
    let waited = waitedMs()
    const cpuStart = process.cpuUsage()
    for (const input of inputs) {
      const start = performance.now()
      run(input)
      const now = performance.now()
      let took = now - start
      if (took > LONG_MS) {
        const waitedSoFar = waitedMs()
        took = Math.max(0, took - (waitedSoFar - waited))
        waited = waitedSoFar
      }
      times.push(took * 1000)
      if (now > end) break
    }
    const { user, system } = process.cpuUsage(cpuStart)
    cpu += user + system
  }
  return cpu
}

/** The median; the upper one of two. */
export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  )
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Average bytes that one call of `run` allocates on the heap; buffers outside of it do not count. */
export function allocatedBytes<T>(make: () => T, run: (input: T) => void, calls: number): number {
  const inputs = Array.from({ length: calls }, make)
  // Reading the figure ends the current piece of the heap, which counts as allocated as a whole.
  const asking = -(getHeapStatistics().total_allocated_bytes - getHeapStatistics().total_allocated_bytes)
  const before = getHeapStatistics().total_allocated_bytes
  for (const input of inputs) run(input)
  return Math.max(0, getHeapStatistics().total_allocated_bytes - before - asking) / calls
}
