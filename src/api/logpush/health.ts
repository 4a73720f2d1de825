import { Type } from '@fastify/type-provider-typebox'
import { timestampOf } from '../../kit/clock.ts'
import { momentForms, momentOf } from '../../logpush/index.ts'
import type { Scope } from '../../model/resource.ts'
import type { ApiDeps } from '../deps.ts'
import type { Api } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { strict } from '../http/schemas.ts'
import { type JobPath, jobOf } from './find-job.ts'
import { healthSchema, healthToWire } from './health-wire.ts'
import { logpushRequestLimits } from './limits.ts'
import { logpushOperations } from './operation.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

const query = Type.Object(
  {
    since: Type.Optional(
      Type.String({
        description: 'Start of the counts, rounded down to the hour; by default a day ago, at most 30 days',
      }),
    ),
  },
  strict,
)

/** Sluice's own: the delivery health of a job. */
export function logpushHealthRoutes(
  app: Api,
  { store, clock, records, reportJob }: ApiDeps,
  scope: Scope['kind'],
): void {
  const { operation, whose } = logpushOperations(scope)
  const config = operation('getLogpushHealth', `Get the delivery health of a job ${whose}`, 'read', {
    result: healthSchema,
  })
  app.get<JobPath & { Querystring: { readonly since?: string } }>(
    '/logpush/jobs/:job_id/health',
    { config, schema: { querystring: query } },
    async request => {
      const job = await jobOf(request, store)
      const nowMs = clock.nowMs()
      const report = await reportJob(job, sinceHour(request.query.since, nowMs))
      // The database stores the whole audit trail.
      const isTrail = job.dataset === 'audit_logs'
      const retainedSince = isTrail ? null : await oldestRecord(records)
      const unread = isTrail || report.state === 'disabled' ? [] : await unreadLogs(store)
      return success(healthToWire(job, report, unread, retainedSince, nowMs))
    },
  )
}

/** Record logs that an edge writes and no process delivers. */
async function unreadLogs(store: ApiDeps['store']): Promise<readonly string[]> {
  const { written, delivered } = await store.logs.live()
  return written.filter(log => !delivered.includes(log))
}

/** When the oldest stored record was received. */
async function oldestRecord(records: ApiDeps['records']): Promise<string | null> {
  const times = (await records.stats()).flatMap(({ oldestMs }) => oldestMs ?? [])
  return times.length === 0 ? null : timestampOf(Math.min(...times))
}

/** @throws ApiError 400 */
function sinceHour(since: string | undefined, nowMs: number): string {
  if (since === undefined) return dayAgoHour(nowMs)
  const moment = momentOf(since)
  const refuse = (reason: string) =>
    refusal('badValue', { value: since.slice(0, 64), field: 'since', reason })
  if (moment === undefined) throw refuse(`it has to be ${momentForms} (write + as %2B)`)
  if (moment > nowMs) throw refuse('it is in the future')
  const days = logpushRequestLimits.countedDays
  if (hourOf(moment) < hourOf(nowMs - days * dayMs)) throw refuse(`it is more than ${days} days ago`)
  return hourText(moment)
}

/** First hour of the last day, as the store writes it. */
export function dayAgoHour(nowMs: number): string {
  return hourText(nowMs - dayMs)
}

function hourText(ms: number): string {
  return new Date(hourOf(ms)).toISOString().replace('.000Z', 'Z')
}

function hourOf(ms: number): number {
  return Math.floor(ms / hourMs) * hourMs
}
