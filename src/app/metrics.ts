import { AggregatorRegistry, Counter, Gauge, register } from 'prom-client'
import type { IngestProgress } from '../analytics/index.ts'
import type { PartitionStats } from '../bus/index.ts'
import type { EdgeStats } from '../edge/index.ts'
import type { DeliveryOutcome, InstantStats, JobLag } from '../logpush/index.ts'

/**
 * Metrics in Prometheus text: the sum of this thread's and of the edge workers', which have registries of their own.
 * Without the workers' when one of them does not answer.
 * @param workers what `ownMetrics` gives in each of them
 */
export async function allMetrics(workers: () => Promise<readonly (readonly object[])[]>): Promise<string> {
  try {
    return await AggregatorRegistry.aggregate([...(await workers()), await ownMetrics()]).metrics()
  } catch {
    return `# an edge worker did not answer in time; its figures are missing\n${await register.metrics()}`
  }
}

/** This thread's metrics, for `allMetrics` in another. */
export async function ownMetrics(): Promise<readonly object[]> {
  return register.getMetricsAsJSON()
}

const uploads = new Counter({
  name: 'sluice_logpush_uploads_total',
  help: 'Attempts of log push jobs to deliver a batch, by outcome and HTTP status',
  labelNames: ['job', 'outcome', 'status'],
})
const deliveredLines = new Counter({
  name: 'sluice_logpush_lines_total',
  help: 'Log lines delivered',
  labelNames: ['job'],
})
const deliveredBytes = new Counter({
  name: 'sluice_logpush_bytes_total',
  help: 'Bytes of log lines delivered, before compression',
  labelNames: ['job'],
})
const compressedBytes = new Counter({
  name: 'sluice_logpush_compressed_bytes_total',
  help: 'Compressed bytes delivered',
  labelNames: ['job'],
})

export function countDelivery(job: number, outcome: DeliveryOutcome): void {
  uploads.inc({ job, outcome: outcome.outcome, status: outcome.status })
  if (outcome.outcome !== 'successful') return
  deliveredLines.inc({ job }, outcome.lines)
  deliveredBytes.inc({ job }, outcome.bytes)
  compressedBytes.inc({ job }, outcome.bytesCompressed)
}

/** Shows what the running jobs are at, read when somebody asks for the metrics. */
export function exposeJobs(lags: () => readonly JobLag[]): void {
  const gauges: readonly (readonly [name: string, help: string, read: (lag: JobLag) => number])[] = [
    [
      'sluice_logpush_lag_seconds',
      'How long ago the oldest record was received that a job has not delivered or passed over',
      lag => lag.lagSeconds,
    ],
    ['sluice_logpush_paused', '1 while a job waits for somebody to mend it', lag => (lag.paused ? 1 : 0)],
  ]
  for (const [name, help, read] of gauges)
    new Gauge({
      name,
      help,
      labelNames: ['job'],
      collect() {
        this.reset()
        for (const lag of lags()) this.set({ job: lag.jobId }, read(lag))
      },
    })
}

/** Shows how far analytics are behind the record log. */
export function exposeAnalytics(progress: () => IngestProgress): void {
  new Gauge({
    name: 'sluice_analytics_unread',
    help: 'Log records that analytics have not read yet',
    labelNames: ['partition'],
    collect() {
      this.reset()
      for (const { partition, head, sequence } of progress().partitions)
        this.set({ partition }, head - sequence)
    },
  })
  new Gauge({
    name: 'sluice_analytics_missed',
    help: 'Log records that were gone before analytics read them, since the partition began',
    labelNames: ['partition'],
    collect() {
      this.reset()
      for (const { partition, missing } of progress().partitions) this.set({ partition }, missing)
    },
  })
  new Gauge({
    name: 'sluice_analytics_stored_bytes',
    help: 'Room that analytics take',
    collect() {
      this.set(progress().bytes)
    },
  })
  new Counter({
    name: 'sluice_analytics_failures_total',
    help: 'Times that analytics could not read or write; they try again',
    collect() {
      this.reset()
      this.inc(progress().failures)
    },
  })
}

/** Shows what listeners of Instant Logs were too slow for. */
export function exposeInstantLogs(stats: () => InstantStats): void {
  new Counter({
    name: 'sluice_instant_lines_dropped_total',
    help: 'Lines of Instant Logs that were left out because a listener was too slow',
    collect() {
      this.reset()
      this.inc(stats().linesLeftOut)
    },
  })
}

type PlainCount = Exclude<keyof EdgeStats, 'incomplete' | 'shadows' | 'samples'>

const edgeCounters: readonly (readonly [name: string, help: string, read: PlainCount])[] = [
  ['sluice_edge_requests_total', 'Requests', 'requests'],
  ['sluice_edge_blocked_total', 'Requests that were blocked', 'blocked'],
  ['sluice_edge_challenged_total', 'Requests that were challenged', 'challenged'],
  ['sluice_edge_challenges_solved_total', 'Challenges that were solved', 'challengesSolved'],
  ['sluice_edge_unknown_hosts_total', 'Requests for hosts that no zone claims', 'unknownHosts'],
  ['sluice_edge_malformed_total', 'Requests that break HTTP', 'malformed'],
  ['sluice_edge_origin_failures_total', 'Origins that could not be reached or broke off', 'originFailures'],
  [
    'sluice_edge_internal_failures_total',
    'Requests refused because of a mistake in Sluice',
    'internalFailures',
  ],
]
const edgeGauges: readonly (readonly [name: string, help: string, read: PlainCount])[] = [
  ['sluice_edge_active_requests', 'Requests in flight', 'active'],
  ['sluice_edge_tunnels', 'Upgraded connections', 'tunnels'],
]

/** Shows an edge's counts, read when somebody asks for the metrics. */
export function exposeEdge(stats: () => EdgeStats): void {
  for (const [name, help, read] of edgeCounters)
    new Counter({
      name,
      help,
      collect() {
        this.reset()
        this.inc(stats()[read])
      },
    })
  for (const [name, help, read] of edgeGauges)
    new Gauge({
      name,
      help,
      collect() {
        this.set(stats()[read])
      },
    })
  new Counter({
    name: 'sluice_waf_incomplete_total',
    help: 'Requests whose managed rules were not evaluated to the end',
    labelNames: ['reason', 'verdict'],
    collect() {
      this.reset()
      const { incomplete } = stats()
      for (const reason of ['budget', 'error'] as const)
        for (const verdict of ['block', 'allow'] as const)
          this.inc({ reason, verdict }, incomplete[reason][verdict])
    },
  })
}

const shadowResults = {
  runs: 'Requests that a shadow evaluated',
  differences: 'Requests on which a shadow and the rules of the zone came to different verdicts',
  failures: 'Requests that a shadow failed to evaluate',
  leftOut: 'Requests that went without their shadow, because too many were waiting',
} as const

/** Shows what an edge's shadows came to. */
export function exposeShadows(stats: () => EdgeStats): void {
  for (const result of ['runs', 'differences', 'failures', 'leftOut'] as const)
    new Counter({
      name: `sluice_shadow_${result === 'leftOut' ? 'left_out' : result}_total`,
      help: shadowResults[result],
      collect() {
        this.reset()
        this.inc(stats().shadows[result])
      },
    })
}

const sampleResults = {
  written: ['written', 'Requests whose sample was written'],
  failures: ['failures', 'Requests that could not be evaluated for a sample'],
  leftOut: ['left_out', 'Requests that went without their sample, for want of processor time or room'],
} as const

/** Shows what an edge's samples came to. */
export function exposeSamples(stats: () => EdgeStats): void {
  for (const result of ['written', 'failures', 'leftOut'] as const) {
    const [name, help] = sampleResults[result]
    new Counter({
      name: `sluice_samples_${name}_total`,
      help,
      collect() {
        this.reset()
        this.inc(stats().samples[result])
      },
    })
  }
}

/** Shows how many counts of rate limits this thread has given up for want of room. */
export function exposeRateCounters(counters: { readonly displaced: number }): void {
  new Counter({
    name: 'sluice_rate_counters_displaced_total',
    help: 'Counts of rate limits that were given up before their end for want of room',
    collect() {
      this.reset()
      this.inc(counters.displaced)
    },
  })
}

const recordsDropped = new Counter({
  name: 'sluice_records_dropped_total',
  help: 'Log records lost: they could not be written or read, or the quota took them before they were delivered',
  labelNames: ['reason'],
})

/** @param dropped records that were not counted before; 0 shows that there is trouble of this kind */
export function countDropped(reason: string, dropped: number): void {
  recordsDropped.inc({ reason }, dropped)
}

let recordLogStats: () => Promise<readonly PartitionStats[]> = async () => []

/** Shows what the record log holds, read when somebody asks for the metrics. */
export function exposeRecordLog(stats: () => Promise<readonly PartitionStats[]>): void {
  recordLogStats = stats
}

const recordLogGauges: readonly (readonly [
  name: string,
  help: string,
  read: (stats: PartitionStats) => number,
])[] = [
  ['sluice_records_stored_bytes', 'Room that log records take', stats => stats.bytes],
  [
    'sluice_records_oldest_timestamp_seconds',
    'When the oldest log record that is kept was received; 0 when there is none',
    stats => (stats.oldestMs ?? 0) / 1000,
  ],
  [
    'sluice_records_undelivered',
    'Log records that some job has not delivered',
    stats => stats.head - stats.delivered,
  ],
  [
    'sluice_records_dropped_at_quota',
    'Log records that the quota took before they were delivered, since the partition began',
    stats => stats.dropped,
  ],
]
for (const [name, help, read] of recordLogGauges)
  new Gauge({
    name,
    help,
    labelNames: ['partition'],
    async collect() {
      // A log that does not answer leaves a gap in these, not in all metrics.
      const partitions = await recordLogStats().catch(() => [])
      this.reset()
      for (const stats of partitions) this.set({ partition: stats.partition }, read(stats))
    },
  })
