import type { Sample, Scrape } from './scrape.ts'

/** A row of a table: a name, and a number for each column. */
export interface Row {
  readonly name: string
  readonly values: readonly number[]
}

/** The figures between two scrapes; counts are per second, times in seconds. */
export interface Figures {
  readonly requests: number
  readonly active: number
  readonly actions: readonly Row[]
  readonly statuses: readonly Row[]
  readonly failures: readonly Row[]
  /** Latency at the quantiles 0.5, 0.95 and 0.99; NaN without requests. */
  readonly quantiles: readonly number[]
  readonly threads: readonly Row[]
  readonly jobs: readonly Row[]
  readonly zones: readonly Row[]
}

export const quantilesShown = [0.5, 0.95, 0.99]

/** Columns of the tables after the name. */
export const columns = {
  threads: ['busy %', 'delay ms', 'heap MiB'],
  jobs: ['lag s', 'lines/s', 'uploads/s', 'failed/s', 'paused'],
  zones: ['requests/s', 'acted on/s', '4xx/s', '5xx/s'],
} as const

export function figuresBetween(before: Scrape, after: Scrape): Figures {
  const seconds = Math.max((after.atMs - before.atMs) / 1000, 0.001)
  const between = new Between(before, after, seconds)
  const zoneRequests = 'sluice_zone_requests_total'
  return {
    requests: between.rate('sluice_edge_requests_total'),
    active: sum(after.samples.get('sluice_edge_active_requests') ?? []),
    actions: between.rates(zoneRequests, 'action').filter(({ name }) => name !== 'none'),
    statuses: between.rates(zoneRequests, 'status').toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    failures: [
      ['origin failures', 'sluice_edge_origin_failures_total'],
      ['refused for load', 'sluice_edge_overloads_total'],
      ['lost records', 'sluice_records_dropped_total'],
    ].map(([name, metric]) => ({ name: name!, values: [between.rate(metric!)] })),
    quantiles: quantilesShown.map(quantile =>
      quantileOf(between.increases('sluice_edge_request_duration_seconds_bucket', 'le'), quantile),
    ),
    threads: between.table('thread', [
      [1, 'busy', 'sluice_event_loop_busy_seconds_total', 100],
      [0, 'delay', 'sluice_event_loop_delay_seconds', 1000],
      [0, 'heap', 'sluice_heap_used_bytes', 2 ** -20],
    ]),
    jobs: between.table('job', [
      [0, 'lag', 'sluice_logpush_lag_seconds', 1],
      [1, 'lines', 'sluice_logpush_lines_total', 1],
      [1, 'uploads', 'sluice_logpush_uploads_total', 1],
      [1, 'failed', 'sluice_logpush_uploads_total', 1, ({ outcome }) => outcome !== 'successful'],
      [0, 'paused', 'sluice_logpush_paused', 1],
    ]),
    zones: between.table('zone', [
      [1, 'requests', zoneRequests, 1],
      [1, 'acted on', zoneRequests, 1, ({ action }) => action !== 'none'],
      [1, '4xx', zoneRequests, 1, ({ status }) => status === '4xx'],
      [1, '5xx', zoneRequests, 1, ({ status }) => status === '5xx'],
    ]),
  }
}

type Accepts = (labels: Sample['labels']) => boolean
/** A column: 1 for the increase a second of a counter and 0 for a gauge, its name, the metric, and a factor. */
type Column = readonly [isRate: 0 | 1, name: string, metric: string, factor: number, accepts?: Accepts]

class Between {
  readonly #before: Scrape
  readonly #after: Scrape
  readonly #seconds: number

  constructor(before: Scrape, after: Scrape, seconds: number) {
    this.#before = before
    this.#after = after
    this.#seconds = seconds
  }

  /** The increase of a counter a second, over all labels. */
  rate(metric: string): number {
    return Math.max(0, this.#sum(this.#after, metric) - this.#sum(this.#before, metric)) / this.#seconds
  }

  /** Increases a second by the values of a label. */
  rates(metric: string, label: string): readonly Row[] {
    return [...this.increases(metric, label)].map(([name, increase]) => ({
      name,
      values: [increase / this.#seconds],
    }))
  }

  increases(metric: string, label: string, accepts?: Accepts): ReadonlyMap<string, number> {
    const before = sums(this.#before, metric, label, accepts)
    const after = sums(this.#after, metric, label, accepts)
    // A process that was replaced counts from zero.
    return new Map([...after].map(([name, value]) => [name, Math.max(0, value - (before.get(name) ?? 0))]))
  }

  table(label: string, wanted: readonly Column[]): readonly Row[] {
    const read = wanted.map(([isRate, , metric, factor, accepts]) => ({
      factor: isRate === 1 ? factor / this.#seconds : factor,
      values:
        isRate === 1 ? this.increases(metric, label, accepts) : sums(this.#after, metric, label, accepts),
    }))
    const names = new Set(read.flatMap(({ values }) => [...values.keys()]))
    return [...names].map(name => ({
      name,
      values: read.map(({ values, factor }) => (values.get(name) ?? 0) * factor),
    }))
  }

  #sum({ samples }: Scrape, metric: string): number {
    return sum(samples.get(metric) ?? [])
  }
}

function sums({ samples }: Scrape, metric: string, label: string, accepts: Accepts = () => true) {
  const found = new Map<string, number>()
  for (const { labels, value } of samples.get(metric) ?? []) {
    const name = labels[label]
    if (name === undefined || !accepts(labels)) continue
    found.set(name, (found.get(name) ?? 0) + value)
  }
  return found
}

function sum(samples: readonly Sample[]): number {
  return samples.reduce((total, { value }) => total + value, 0)
}

/**
 * A quantile of a histogram, in its unit, as `histogram_quantile` of Prometheus: even within a bucket.
 * @param increases of cumulative buckets, by their upper bounds
 */
function quantileOf(increases: ReadonlyMap<string, number>, quantile: number): number {
  const buckets = [...increases]
    .map(([le, count]) => ({ bound: le === '+Inf' ? Infinity : Number(le), count }))
    .toSorted((a, b) => a.bound - b.bound)
  const total = buckets.at(-1)?.count ?? 0
  if (total === 0) return Number.NaN
  const wanted = total * quantile
  const at = buckets.findIndex(({ count }) => count >= wanted)
  const { bound, count } = buckets[at]!
  const lower = buckets[at - 1] ?? { bound: 0, count: 0 }
  if (bound === Infinity) return lower.bound
  return lower.bound + ((bound - lower.bound) * (wanted - lower.count)) / (count - lower.count)
}
