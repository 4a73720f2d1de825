import { Type } from '@fastify/type-provider-typebox'
import { timestampOf } from '../kit/clock.ts'
import { logpushLimits } from '../kit/limits.ts'
import { type JobReport, momentForms, momentOf } from '../logpush/index.ts'
import type { LogpushJob } from '../model/resource.ts'
import type { DeliveryCount } from '../store/port.ts'
import type { Api } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { success } from './envelope.ts'
import { refusal } from './errors.ts'
import { type JobPath, jobOf } from './find-job.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

const query = Type.Object(
  {
    since: Type.Optional(
      Type.String({ description: 'From the hour of this time on; a day ago unless said, 30 days at most' }),
    ),
  },
  { additionalProperties: false },
)

/** Sluice's own: how the delivery of a job is doing. */
export function logpushHealthRoutes(app: Api, { store, clock, records, reportJob }: ApiDeps): void {
  app.get<JobPath & { Querystring: { readonly since?: string } }>(
    '/logpush/jobs/:job_id/health',
    { schema: { querystring: query } },
    async request => {
      const job = await jobOf(request, store)
      const nowMs = clock.nowMs()
      const report = await reportJob(job, sinceHour(request.query.since, nowMs))
      // The audit trail is kept in the database, whole.
      const retainedSince = job.dataset === 'audit_logs' ? null : await oldestRecord(records)
      return success({ ...healthToWire(job, report, nowMs), retained_since: retainedSince })
    },
  )
}

/** When the oldest record that is kept was received. */
async function oldestRecord(records: ApiDeps['records']): Promise<string | null> {
  const times = (await records.stats()).flatMap(({ oldestMs }) => oldestMs ?? [])
  return times.length === 0 ? null : timestampOf(Math.min(...times))
}

/** @throws ApiError 400 */
function sinceHour(since: string | undefined, nowMs: number): string {
  const moment = since === undefined ? nowMs - dayMs : momentOf(since)
  const refuse = (reason: string) =>
    refusal('badValue', { value: (since ?? '').slice(0, 64), field: 'since', reason })
  if (moment === undefined) throw refuse(`it has to be ${momentForms} (write + as %2B)`)
  if (moment > nowMs) throw refuse('it is in the future')
  const days = logpushLimits.countedDays
  if (hourOf(moment) < hourOf(nowMs - days * dayMs)) throw refuse(`it is more than ${days} days ago`)
  return new Date(hourOf(moment)).toISOString().replace('.000Z', 'Z')
}

function hourOf(ms: number): number {
  return Math.floor(ms / hourMs) * hourMs
}

function healthToWire(job: LogpushJob, report: JobReport, nowMs: number): object {
  const { oldestUndelivered: oldest } = report
  const lagMs = oldest === null ? 0 : Math.max(0, nowMs - Date.parse(oldest))
  return {
    state: report.state,
    lag_seconds: Math.floor(lagMs / 1000),
    oldest_undelivered: oldest,
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
  }
}

function totalsOf(counts: readonly DeliveryCount[]): object {
  const zero = () => ({ uploads: 0, lines: 0, bytes: 0, bytes_compressed: 0 })
  const totals = { successful: zero(), retry: zero(), failed: zero(), missing: zero() }
  for (const count of counts) {
    const total = totals[count.outcome]
    total.uploads += count.uploads
    total.lines += count.lines
    total.bytes += count.bytes
    total.bytes_compressed += count.bytesCompressed
  }
  return totals
}
