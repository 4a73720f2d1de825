import { AggregatorRegistry, Counter, Gauge, register } from 'prom-client'
import type { AcmeOutcome } from '../../acme/index.ts'
import type { IngestProgress } from '../../analytics/index.ts'
import type { PartitionStats, SharedCounters } from '../../bus/index.ts'
import type { EdgeStats } from '../../edge/index.ts'
import type { CheckedOrigin } from '../../health/index.ts'
import type { DeliveryOutcome, InstantStats, JobLag } from '../../logpush/index.ts'
import type { AcmeName } from '../../model/acme.ts'
import type { CertificateReport } from '../../model/certificate.ts'

/**
 * Metrics in Prometheus text: the sum of this thread's and the edge workers' registries, or this thread's alone if a
 * worker does not answer.
 * @param workers the result of `ownMetrics` in each worker
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
  help: 'Attempts of Logpush jobs to deliver a batch, by outcome and HTTP status',
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

const lostRecords = new Counter({
  name: 'sluice_logpush_lost_records_total',
  help: 'Log records that were dropped before a job had delivered them, whether or not its filter would have kept them',
  labelNames: ['job'],
})

export function countLoss(job: number, records: number): void {
  lostRecords.inc({ job }, records)
}

export function countDelivery(job: number, outcome: DeliveryOutcome): void {
  uploads.inc({ job, outcome: outcome.outcome, status: outcome.status })
  if (outcome.outcome !== 'successful') return
  deliveredLines.inc({ job }, outcome.lines)
  deliveredBytes.inc({ job }, outcome.bytes)
  compressedBytes.inc({ job }, outcome.bytesCompressed)
}

const logResets = new Counter({
  name: 'sluice_logpush_log_resets_total',
  help: 'Times that the log of a job was lost or created again, and was read from its start',
  labelNames: ['job'],
})

export function countReset(job: number): void {
  logResets.inc({ job })
}

const failedSignIns = new Counter({
  name: 'sluice_api_failed_sign_ins_total',
  help: 'Requests to the API whose credentials were refused, by reason',
  labelNames: ['reason'],
})

export function countFailedSignIn(reason: string): void {
  failedSignIns.inc({ reason })
}

const orders = new Counter({
  name: 'sluice_acme_orders_total',
  help: 'Certificates that this process ordered by ACME, by outcome',
  labelNames: ['outcome'],
})

export function countOrder(outcome: AcmeOutcome['kind']): void {
  orders.inc({ outcome })
}

/** Exports the names whose last order failed, read at each scrape. */
export function exposeAcmeNames(names: () => Promise<readonly AcmeName[]>): void {
  new Gauge({
    name: 'sluice_acme_failures',
    help: 'Failed orders of a name since its last certificate by ACME',
    labelNames: ['name'],
    async collect() {
      this.reset()
      // Without its database, the process reports its other metrics.
      for (const { name, failures } of await names().catch(() => [])) this.set({ name }, failures)
    },
  })
}

/** Exports whether the database answers, read at each scrape. */
export function exposeDatabase(answers: () => boolean): void {
  new Gauge({
    name: 'sluice_database_up',
    help: '1 while this process can read changes from PostgreSQL, else 0: edges then serve with the plans that they have',
    collect() {
      this.set(answers() ? 1 : 0)
    },
  })
}

/** Exports the exchange of counts with other machines, read at each scrape. */
export function exposeSharedCounters(sharing: Pick<SharedCounters, 'away' | 'stats'>): void {
  new Gauge({
    name: 'sluice_shared_counters_up',
    help: '1 while this machine shares its counts of rate limits through Redis, else 0: it then counts alone',
    collect() {
      this.set(sharing.away === undefined ? 1 : 0)
    },
  })
  const totals = {
    exchanges: 'Exchanges of counts with Redis',
    counts: 'Counts of rate limits told to Redis',
    failures: 'Failed connections to Redis and exchanges with it, which are retried',
  } as const
  for (const total of ['exchanges', 'counts', 'failures'] as const)
    new Counter({
      name: `sluice_shared_counters_${total}_total`,
      help: totals[total],
      collect() {
        this.reset()
        this.inc(sharing.stats[total])
      },
    })
}

/** Exports the counts of exported and lost spans, read at each scrape. */
export function exposeSpans(stats: { readonly exported: number; readonly dropped: number }): void {
  new Counter({
    name: 'sluice_spans_total',
    help: 'Spans of requests: exported to the collector, or dropped because it does not take them',
    labelNames: ['outcome'],
    collect() {
      this.reset()
      for (const outcome of ['exported', 'dropped'] as const) this.inc({ outcome }, stats[outcome])
    },
  })
}

/** Exports what other proxies let pass, read at each scrape. */
export function exposeAgents(counts: { readonly responsesPassed: number }): void {
  new Counter({
    name: 'sluice_inspect_responses_passed_total',
    help: 'Responses that HAProxy let pass without their rules, because no worker answered its report in time',
    collect() {
      this.reset()
      this.inc(counts.responsesPassed)
    },
  })
}

const originChecks = new Counter({
  name: 'sluice_origin_checks_total',
  help: 'Health checks of origins of pools, by outcome',
  labelNames: ['outcome'],
})

export function countCheck(passed: boolean): void {
  originChecks.inc({ outcome: passed ? 'passed' : 'failed' })
}

/** Exports the health of the origins of pools, read at each scrape. */
export function exposeOriginHealth(origins: () => readonly CheckedOrigin[]): void {
  new Gauge({
    name: 'sluice_origin_up',
    help: '1 while the health checks of this machine find an origin of a pool healthy, else 0',
    labelNames: ['pool', 'pool_id', 'address', 'port'],
    collect() {
      this.reset()
      for (const { pool, target, healthy } of origins()) {
        if (healthy === undefined) continue
        const { address, port } = target.origin
        this.set({ pool: pool.name, pool_id: pool.id, address, port }, healthy ? 1 : 0)
      }
    },
  })
}

/** Exports the progress of running jobs, read at each scrape. */
export function exposeJobs(lags: () => readonly JobLag[]): void {
  const gauges: readonly (readonly [name: string, help: string, read: (lag: JobLag) => number])[] = [
    [
      'sluice_logpush_lag_seconds',
      'Age of the oldest record that a job has neither delivered nor filtered out',
      lag => lag.lagSeconds,
    ],
    ['sluice_logpush_paused', '1 while a job is paused until a user edits it', lag => (lag.paused ? 1 : 0)],
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

/** Exports the delay of analytics behind the record log. */
export function exposeAnalytics(progress: () => IngestProgress): void {
  new Gauge({
    name: 'sluice_analytics_unread',
    help: 'Log records that analytics has not read yet',
    labelNames: ['partition'],
    collect() {
      this.reset()
      for (const { partition, head, sequence } of progress().partitions)
        this.set({ partition }, head - sequence)
    },
  })
  new Gauge({
    name: 'sluice_analytics_missed',
    help: 'Log records that were deleted before analytics read them, since the partition began',
    labelNames: ['partition'],
    collect() {
      this.reset()
      for (const { partition, missing } of progress().partitions) this.set({ partition }, missing)
    },
  })
  new Gauge({
    name: 'sluice_analytics_stored_bytes',
    help: 'Space that analytics takes',
    collect() {
      this.set(progress().bytes)
    },
  })
  new Counter({
    name: 'sluice_analytics_failures_total',
    help: 'Failed reads and writes of analytics, which are retried',
    collect() {
      this.reset()
      this.inc(progress().failures)
    },
  })
}

/** Exports the lines for which listeners of Instant Logs were too slow. */
export function exposeInstantLogs(stats: () => InstantStats): void {
  new Counter({
    name: 'sluice_instant_lines_dropped_total',
    help: 'Lines of Instant Logs that were dropped because a listener was too slow',
    collect() {
      this.reset()
      this.inc(stats().linesLeftOut)
    },
  })
}

type PlainCount = Exclude<
  keyof EdgeStats,
  'incomplete' | 'overloads' | 'handshakeFailures' | 'shadows' | 'samples'
>

const edgeCounters: readonly (readonly [name: string, help: string, read: PlainCount])[] = [
  ['sluice_edge_requests_total', 'Requests', 'requests'],
  ['sluice_edge_blocked_total', 'Requests that were blocked', 'blocked'],
  ['sluice_edge_challenged_total', 'Requests that were challenged', 'challenged'],
  ['sluice_edge_challenges_solved_total', 'Challenges that were solved', 'challengesSolved'],
  ['sluice_edge_unknown_hosts_total', 'Requests for hosts that no zone claims', 'unknownHosts'],
  ['sluice_edge_malformed_total', 'Malformed HTTP requests', 'malformed'],
  [
    'sluice_edge_origin_failures_total',
    'Requests whose origin could not be reached or broke off',
    'originFailures',
  ],
  ['sluice_edge_loops_total', 'Requests that passed this edge before: an origin leads back to it', 'loops'],
  [
    'sluice_edge_internal_failures_total',
    'Requests refused because of an internal error',
    'internalFailures',
  ],
]
const edgeGauges: readonly (readonly [name: string, help: string, read: PlainCount])[] = [
  ['sluice_edge_active_requests', 'Requests in flight', 'active'],
  ['sluice_edge_tunnels', 'Upgraded connections', 'tunnels'],
]

/** Exports an edge's counts, read at each scrape. */
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
    name: 'sluice_edge_overloads_total',
    help: 'Requests and connections refused because a limit was reached',
    labelNames: ['limit'],
    collect() {
      this.reset()
      for (const [limit, count] of Object.entries(stats().overloads)) this.inc({ limit }, count)
    },
  })
  new Counter({
    name: 'sluice_tls_handshake_failures_total',
    help: 'TLS handshakes that failed, by reason',
    labelNames: ['reason'],
    collect() {
      this.reset()
      for (const [reason, count] of Object.entries(stats().handshakeFailures)) this.inc({ reason }, count)
    },
  })
  new Counter({
    name: 'sluice_waf_incomplete_total',
    help: 'Requests whose managed rules were not evaluated completely',
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
  differences: 'Requests on which the verdicts of a shadow and of the zone differ',
  failures: 'Requests that a shadow failed to evaluate',
  leftOut: 'Requests without their shadow, because too many were waiting',
} as const

/** Exports the certificates that an edge's clients get. Every worker has the same ones. */
export function exposeCertificates(served: () => readonly CertificateReport[]): void {
  new Gauge({
    name: 'sluice_tls_certificate_expiry_timestamp_seconds',
    help: 'End of validity of each certificate that clients get, by the first name it serves',
    labelNames: ['name', 'source'],
    aggregator: 'min',
    collect() {
      this.reset()
      for (const { hosts, source, expiresMs } of served())
        this.set({ name: hosts[0]!, source }, expiresMs / 1000)
    },
  })
}

/** Exports the results of an edge's shadows. */
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
  leftOut: ['left_out', 'Requests without their sample, for lack of processor time or memory'],
} as const

/** Exports the results of an edge's samples. */
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

/** Exports the counts of rate limits that this thread has evicted from the full table. */
export function exposeRateCounters(counters: { readonly displaced: number }): void {
  new Counter({
    name: 'sluice_rate_counters_displaced_total',
    help: 'Counts of rate limits that were evicted before their end because the table was full',
    collect() {
      this.reset()
      this.inc(counters.displaced)
    },
  })
}

const recordsDropped = new Counter({
  name: 'sluice_records_dropped_total',
  help: 'Log records lost: unwritable, unreadable, or deleted at the quota before delivery',
  labelNames: ['reason'],
})

/** @param dropped records that were not counted before; 0 only creates the series */
export function countDropped(reason: string, dropped: number): void {
  recordsDropped.inc({ reason }, dropped)
}

let recordLogStats: () => Promise<readonly PartitionStats[]> = async () => []

/**
 * Exports the contents of the record log, read at each scrape.
 * @param bytesMax space that it may take
 */
export function exposeRecordLog(stats: () => Promise<readonly PartitionStats[]>, bytesMax: number): void {
  recordLogStats = stats
  new Gauge({ name: 'sluice_records_limit_bytes', help: 'Space that log records may take' }).set(bytesMax)
}

const recordLogGauges: readonly (readonly [
  name: string,
  help: string,
  read: (stats: PartitionStats) => number,
])[] = [
  ['sluice_records_stored_bytes', 'Space that log records take', stats => stats.bytes],
  [
    'sluice_records_oldest_timestamp_seconds',
    'Receipt of the oldest retained log record; 0 without one',
    stats => (stats.oldestMs ?? 0) / 1000,
  ],
  [
    'sluice_records_undelivered',
    'Log records that at least one job has not delivered',
    stats => stats.head - stats.delivered,
  ],
  [
    'sluice_records_dropped_at_quota',
    'Log records deleted at the quota before delivery, since the partition began',
    stats => stats.dropped,
  ],
]
for (const [name, help, read] of recordLogGauges)
  new Gauge({
    name,
    help,
    labelNames: ['partition'],
    async collect() {
      // A log that does not answer leaves a gap in these metrics only.
      const partitions = await recordLogStats().catch(() => [])
      this.reset()
      for (const stats of partitions) this.set({ partition: stats.partition }, read(stats))
    },
  })
