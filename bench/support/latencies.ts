/** Latencies of some requests. */
export interface Latencies {
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  /** How many took up to each of `latencyBoundsMs`, and how many took longer. */
  readonly counts: readonly number[]
}

/** Upper bounds of the buckets of a histogram; one more bucket has what took longer. */
export const latencyBoundsMs = [2, 5, 10, 20, 40, 60, 100, 200, 500, 1000] as const

export function summarize(latenciesMs: readonly number[]): Latencies {
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  const part = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50Ms: part(0.5), p95Ms: part(0.95), p99Ms: part(0.99), counts: countsOf(sorted) }
}

function countsOf(sorted: readonly number[]): readonly number[] {
  const counts = [...latencyBoundsMs, Number.POSITIVE_INFINITY].map(() => 0)
  let bucket = 0
  for (const latencyMs of sorted) {
    while (latencyMs > (latencyBoundsMs[bucket] ?? Number.POSITIVE_INFINITY)) bucket++
    counts[bucket]!++
  }
  return counts
}

/**
 * One character for each bucket: the tenths of the requests that are in it, 0 for less than one, and a dot for none.
 * @returns for example `..0271.....`
 */
export function histogramText(counts: readonly number[]): string {
  const total = counts.reduce((sum, count) => sum + count, 0)
  return counts
    .map(count => (count === 0 ? '.' : Math.min(9, Math.floor((count * 10) / total)).toString()))
    .join('')
}
