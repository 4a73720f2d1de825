import type { LogpushHealth } from '../../api/types.ts'

export interface Bucket {
  /** Start, in ms since the epoch. */
  readonly ms: number
  readonly label: string
  readonly lines: number
  readonly bytes: number
  readonly compressed: number
  readonly successful: number
  readonly retry: number
  readonly failed: number
  readonly missing: number
  /** Number of times that a source log was lost or recreated. */
  readonly reset: number
  /** Maximum lag in seconds; null when the job did not run. */
  readonly lag: number | null
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** The most bars that stay distinguishable. */
const barsMax = 60

/** A job's hourly health as bars of equal length, including empty ones. */
export function bucketsOf(
  { hours, lags }: Pick<LogpushHealth, 'hours' | 'lags'>,
  sinceMs: number,
  untilMs: number,
): readonly Bucket[] {
  const step = [hourMs, 6 * hourMs, dayMs].find(ms => (untilMs - sinceMs) / ms <= barsMax) ?? dayMs
  const first = Math.floor(sinceMs / step) * step
  const count = Math.max(1, Math.ceil((untilMs - first) / step))
  const sums = Array.from({ length: count }, (_, index) => emptyBucket(first + index * step, step))
  const sumOf = (hour: string) => sums[Math.floor((Date.parse(hour) - first) / step)]
  for (const { hour, lag_seconds_max: lag } of lags) {
    const sum = sumOf(hour)
    if (sum !== undefined) sum.lag = Math.max(sum.lag ?? 0, lag)
  }
  for (const hour of hours) {
    const sum = sumOf(hour.hour)
    if (sum === undefined) continue
    // Failed attempts carry the lines that they did not deliver.
    sum[hour.outcome] += hour.outcome === 'missing' ? hour.lines : hour.uploads
    if (hour.outcome !== 'successful') continue
    sum.lines += hour.lines
    sum.bytes += hour.bytes
    sum.compressed += hour.bytes_compressed
  }
  return sums
}

function emptyBucket(ms: number, step: number): { -readonly [Key in keyof Bucket]: Bucket[Key] } {
  const moment = new Date(ms)
  const label =
    step === dayMs
      ? moment.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
      : moment.toLocaleString(undefined, {
          day: 'numeric',
          month: 'short',
          hour: '2-digit',
          minute: '2-digit',
        })
  const counts = {
    lines: 0,
    bytes: 0,
    compressed: 0,
    successful: 0,
    retry: 0,
    failed: 0,
    missing: 0,
    reset: 0,
  }
  return { ms, label, ...counts, lag: null }
}

export interface StatusSum {
  readonly status: string
  readonly outcome: LogpushHealth['hours'][number]['outcome']
  readonly uploads: number
  readonly lines: number
}

/** Upload results by status, most frequent first. */
export function statusSums(hours: LogpushHealth['hours']): readonly StatusSum[] {
  const sums = new Map<string, { -readonly [Key in keyof StatusSum]: StatusSum[Key] }>()
  for (const { status, outcome, uploads, lines } of hours) {
    const key = `${outcome} ${status}`
    const sum = sums.get(key) ?? { status, outcome, uploads: 0, lines: 0 }
    sum.uploads += uploads
    sum.lines += lines
    sums.set(key, sum)
  }
  return [...sums.values()].sort((a, b) => b.uploads - a.uploads)
}
