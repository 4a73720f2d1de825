import { Type } from '@fastify/type-provider-typebox'
import { isBehind } from '../../logpush/index.ts'
import type { LogpushJob, Scope, Zone } from '../../model/resource.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, scopeOf, zoneOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { count, describedCount, nullable, text, type Wire } from '../http/schemas.ts'
import { dayAgoHour } from './health.ts'
import { jobStateSchema, lagSecondsOf } from './health-wire.ts'
import { logpushRequestLimits } from './limits.ts'
import { logpushOperations } from './operation.ts'

const worstSchema = Type.Object({
  job_id: count,
  name: nullable(text),
  zone: nullable(Type.Object({ id: text, name: text })),
  state: jobStateSchema,
  behind: Type.Boolean(),
  lag_seconds: count,
  error_message: nullable(text),
})

export const overviewSchema = Type.Object({
  jobs: describedCount('of the zone, or of the account and its zones'),
  enabled: count,
  looked_at: describedCount('enabled jobs that the other counts cover; jobs with a failure come first'),
  stopped: describedCount('stopped by a failure: edit the job to resume'),
  retrying: count,
  behind: count,
  lag_seconds_max: count,
  lines: describedCount('delivered in the last 24 hours'),
  worst: Type.Array(worstSchema, {
    description: 'stopped jobs, then retrying jobs, then jobs that are behind',
  }),
})

interface Delivery {
  readonly job: LogpushJob
  readonly state: Wire<typeof jobStateSchema>
  readonly lagSeconds: number
  readonly behind: boolean
  /** Delivered in the last 24 hours. */
  readonly lines: number
}

/** Sluice's own: the delivery health of all jobs of a zone, or of an account and its zones, worst first. */
export function logpushOverviewRoutes(
  app: Api,
  { store, clock, reportJob }: ApiDeps,
  scope: Scope['kind'],
): void {
  const { operation, isZone } = logpushOperations(scope)
  const whose = isZone ? 'of a zone' : 'of an account and its zones'
  const config = operation('getLogpushOverview', `Get the delivery health of all jobs ${whose}`, 'read', {
    result: overviewSchema,
  })
  app.get('/logpush/overview', { config }, async request => {
    const owner = scopeOf(request)
    const jobs = await (isZone ? store.jobs.list(owner) : store.jobs.listOfAccount(owner.id))
    const nowMs = clock.nowMs()
    // Jobs with a failure come first, so that the limit never omits one.
    const enabled = jobs.filter(job => job.enabled).toSorted((a, b) => trouble(b) - trouble(a))
    const deliveries: Delivery[] = []
    for (const job of enabled.slice(0, logpushRequestLimits.overviewJobsMax)) {
      const report = await reportJob(job, dayAgoHour(nowMs))
      const lagSeconds = lagSecondsOf(report, nowMs)
      deliveries.push({
        job,
        state: report.state,
        lagSeconds,
        behind: isBehind(job, lagSeconds),
        lines: report.counts.reduce(
          (sum, { outcome, lines }) => sum + (outcome === 'successful' ? lines : 0),
          0,
        ),
      })
    }
    const zones = isZone ? [zoneOf(request)] : await store.zones.list()
    const zoneById = new Map(zones.map(zone => [zone.id, zone]))
    return success({
      jobs: jobs.length,
      enabled: enabled.length,
      looked_at: deliveries.length,
      stopped: deliveries.filter(({ state }) => state === 'paused').length,
      retrying: deliveries.filter(({ state }) => state === 'retrying').length,
      behind: deliveries.filter(({ behind }) => behind).length,
      lag_seconds_max: Math.max(0, ...deliveries.map(({ lagSeconds }) => lagSeconds)),
      lines: deliveries.reduce((sum, { lines }) => sum + lines, 0),
      worst: deliveries
        .filter(delivery => severity(delivery) > 0)
        .toSorted((a, b) => severity(b) - severity(a) || b.lagSeconds - a.lagSeconds)
        .slice(0, logpushRequestLimits.overviewWorstMax)
        .map(delivery => deliveryToWire(delivery, zoneById)),
    })
  })
}

function trouble({ paused, errorMessage }: LogpushJob): number {
  return paused ? 2 : errorMessage === null ? 0 : 1
}

function severity({ state, behind }: Delivery): number {
  return state === 'paused' ? 3 : state === 'retrying' ? 2 : behind ? 1 : 0
}

function deliveryToWire(
  { job, state, lagSeconds, behind }: Delivery,
  zones: ReadonlyMap<string, Zone>,
): Wire<typeof worstSchema> {
  const zone = job.scope.kind === 'zone' ? zones.get(job.scope.id) : undefined
  return {
    job_id: job.id,
    name: job.name,
    zone: zone === undefined ? null : { id: zone.id, name: zone.name },
    state,
    behind,
    lag_seconds: lagSeconds,
    error_message: job.errorMessage,
  }
}
