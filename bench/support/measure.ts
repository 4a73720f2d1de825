/** How long calls took, in microseconds. */
export interface Timing {
  readonly p50: number
  readonly p99: number
  readonly calls: number
}

interface Budget {
  /** Untimed, until the code is compiled and caches are filled. */
  readonly warmUpMs: number
  readonly measuredMs: number
}

/** Calls made ready ahead of time, so that making their input stays outside what is timed. */
const BATCH = 64

/** Times `run` call by call, each with an input of its own from `make`, until the time is up. */
export function measure<T>(make: () => T, run: (input: T) => void, budget: Budget): Timing {
  repeat(make, run, budget.warmUpMs, [])
  const times: number[] = []
  repeat(make, run, budget.measuredMs, times)
  times.sort((a, b) => a - b)
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), calls: times.length }
}

function repeat<T>(make: () => T, run: (input: T) => void, forMs: number, times: number[]): void {
  const end = performance.now() + forMs
  while (performance.now() < end) {
    const inputs = Array.from({ length: BATCH }, make)
    for (const input of inputs) {
      const start = performance.now()
      run(input)
      const now = performance.now()
      times.push((now - start) * 1000)
      if (now > end) return
    }
  }
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
