import { Type } from '@fastify/type-provider-typebox'
import { isBehind, type JobReport } from '../../logpush/index.ts'
import type { LogpushJob } from '../../model/resource.ts'
import type { DeliveryCount } from '../../store/port/delivery.ts'
import { count, describedText, nullable, text, time, type Wire } from '../http/schemas.ts'

export const jobStateSchema = Type.Enum(['disabled', 'running', 'retrying', 'paused'])

const amounts = { uploads: count, lines: count, bytes: count, bytes_compressed: count }
const total = Type.Object(amounts)
const totalsSchema = Type.Object({
  successful: total,
  retry: total,
  failed: total,
  missing: total,
  reset: total,
})

const faultSchema = Type.Object({
  code: Type.Enum(['records_lost', 'log_unread', 'log_full']),
  records: nullable(count),
  message: text,
})

type Fault = Wire<typeof faultSchema>

export const healthSchema = Type.Object({
  state: jobStateSchema,
  behind: Type.Boolean({ description: 'the lag exceeds the interval between uploads' }),
  lag_seconds: count,
  oldest_undelivered: nullable(time),
  last_complete: nullable(time),
  last_error: nullable(time),
  error_message: nullable(text),
  faults: Type.Array(faultSchema, {
    description:
      'records that the job lost; record logs without a process that delivers them; and a full record log that waits for this job, so that the edge refuses requests',
  }),
  retained_since: nullable(
    Type.String({
      format: 'date-time',
      description: 'when the oldest stored record was received; replays can start from there',
    }),
  ),
  totals: totalsSchema,
  hours: Type.Array(
    Type.Object({
      hour: time,
      outcome: Type.Enum(['successful', 'retry', 'failed', 'missing', 'reset']),
      status: describedText('HTTP status, or a word for the error'),
      ...amounts,
    }),
  ),
  lags: Type.Array(Type.Object({ hour: time, lag_seconds_max: count }), {
    description: 'the largest lag in each hour in which the job ran',
  }),
})

/** @param unread record logs that no process delivers */
export function healthToWire(
  job: LogpushJob,
  report: JobReport,
  unread: readonly string[],
  retainedSince: string | null,
  nowMs: number,
): Wire<typeof healthSchema> {
  const lagSeconds = lagSecondsOf(report, nowMs)
  return {
    state: report.state,
    behind: isBehind(job, lagSeconds),
    lag_seconds: lagSeconds,
    oldest_undelivered: report.oldestUndelivered,
    last_complete: job.lastComplete,
    last_error: job.lastError,
    error_message: job.errorMessage,
    totals: totalsOf(report.counts),
    hours: report.counts.map(count => ({
      hour: count.hour,
      outcome: count.outcome,
      status: count.status,
      uploads: count.uploads,
      lines: count.lines,
      bytes: count.bytes,
      bytes_compressed: count.bytesCompressed,
    })),
    lags: report.lags.map(({ hour, secondsMax }) => ({ hour, lag_seconds_max: secondsMax })),
    faults: [...faultsOf(report), ...unread.map(unreadFault)],
    retained_since: retainedSince,
  }
}

/** Since the oldest record that the job has not passed was received. */
export function lagSecondsOf({ oldestUndelivered: oldest }: JobReport, nowMs: number): number {
  return oldest === null ? 0 : Math.floor(Math.max(0, nowMs - Date.parse(oldest)) / 1000)
}

/** Faults beside the upload results. */
function faultsOf(report: JobReport): Fault[] {
  return [...lossesOf(report), ...holdingOf(report)]
}

/** A fault that ends when the waiting records are delivered. */
function holdingOf({ held: records }: JobReport): Fault[] {
  if (records === 0) return []
  const message = `the record log is full and requests are refused with 503: ${records} log records wait for this job; fix or disable it, or enlarge the record log`
  return [{ code: 'log_full', records, message }]
}

function lossesOf({ lost, counts }: JobReport): Fault[] {
  const missed = counts
    .filter(({ outcome }) => outcome === 'missing')
    .reduce((sum, { lines }) => sum + lines, 0)
  const records = lost + missed
  if (records === 0) return []
  const message = `${records} log records were dropped before the job had delivered them`
  return [{ code: 'records_lost', records, message }]
}

function totalsOf(counts: readonly DeliveryCount[]): Wire<typeof totalsSchema> {
  const zero = () => ({ uploads: 0, lines: 0, bytes: 0, bytes_compressed: 0 })
  const totals = { successful: zero(), retry: zero(), failed: zero(), missing: zero(), reset: zero() }
  for (const count of counts) {
    const total = totals[count.outcome]
    total.uploads += count.uploads
    total.lines += count.lines
    total.bytes += count.bytes
    total.bytes_compressed += count.bytesCompressed
  }
  return totals
}

function unreadFault(log: string): Fault {
  const message = `no process delivers the record log ${log}, to which an edge writes: start a process with the role delivery on the same data directory, or with the same SLUICE_NATS_URL`
  return { code: 'log_unread', records: null, message }
}
