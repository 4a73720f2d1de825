import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { logpushLimits } from '../kit/limits.ts'
import { createJob, updateJob, type WantedJob } from '../logpush/index.ts'
import type { AuditEntry, LogpushJob, Scope } from '../model/resource.ts'
import { StoreError } from '../store/port.ts'
import { auditEntry } from './audit.ts'
import { type Api, scopeOf } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { success } from './envelope.ts'
import { accepted, refusal } from './errors.ts'
import { findJob, type JobPath, jobNotFound, jobOf } from './find-job.ts'
import { jobChange, jobsShownTo, jobToWire } from './job-wire.ts'
import { admitDestination } from './ownership.ts'
import { Turns } from './turns.ts'

/** What is in a job is checked by the logpush room; here it only has to be an object. */
const body = Type.Object({})

/** Log push jobs of an account or a zone; the two have lists of their own. */
export function logpushJobRoutes(app: Api, deps: ApiDeps): void {
  const { store, clock } = deps
  const turns = new Turns()

  app.get('/logpush/jobs', async request =>
    success(jobsShownTo(request, await store.jobs.list(scopeOf(request)))),
  )

  app.post('/logpush/jobs', { schema: { body } }, async request => {
    const scope = scopeOf(request)
    const wanted = accepted(createJob(request.body, scope, clock.nowMs()))
    await admitDestination(wanted.job.destinationConf, challengeOf(request.body), scope, deps)
    const job = await turns.run(scope.id, () =>
      insert(wanted, deps, made => changeOf(request, 'create', undefined, made)),
    )
    return success(jobToWire(job))
  })

  app.get<JobPath>('/logpush/jobs/:job_id', async request => {
    const [shown] = jobsShownTo(request, [await jobOf(request, store)])
    return success(shown)
  })

  app.put<JobPath>('/logpush/jobs/:job_id', { schema: { body } }, async request => {
    const scope = scopeOf(request)
    const { job_id: id } = request.params
    const current = await findJob(scope, id, store)
    const wanted = accepted(updateJob(request.body, current, clock.nowMs()))
    if (wanted.job.destinationConf !== current.destinationConf) {
      await admitDestination(wanted.job.destinationConf, challengeOf(request.body), scope, deps)
    }
    // The probe takes its time: what others changed meanwhile is kept.
    const job = await turns.run(scope.id, async () => {
      const latest = await findJob(scope, id, store)
      const updated = accepted(updateJob(request.body, latest, clock.nowMs()))
      await update(latest, updated, deps, changeOf(request, 'update', latest, updated.job))
      return updated.job
    })
    return success(jobToWire(job))
  })

  app.delete<JobPath>('/logpush/jobs/:job_id', async request => {
    const job = await jobOf(request, store)
    const entry = changeOf(request, 'delete', job, undefined)
    if (!(await store.jobs.delete(job.scope, job.id, entry))) throw jobNotFound(request.params.job_id)
    return success({ id: job.id })
  })
}

function changeOf(
  request: FastifyRequest,
  action: 'create' | 'update' | 'delete',
  before: LogpushJob | undefined,
  after: LogpushJob | undefined,
): AuditEntry {
  return auditEntry(request, {
    action,
    resource: { kind: 'logpush_job', id: String((after ?? before)?.id) },
    ...jobChange(before, after),
  })
}

async function insert(
  { job: wanted, startMs }: WantedJob<Omit<LogpushJob, 'id'>>,
  { store, startJob }: ApiDeps,
  audit: (made: LogpushJob) => AuditEntry,
): Promise<LogpushJob> {
  const present = await store.jobs.list(wanted.scope)
  if (present.length >= jobsMax[wanted.scope.kind]) throw refusal('tooManyJobs', { dataset: wanted.dataset })
  if (!wanted.enabled) return store.jobs.insert(wanted, audit)
  // Without a starting point it would deliver everything that the spool still holds.
  const waiting = await store.jobs.insert({ ...wanted, enabled: false })
  const job = { ...waiting, enabled: true }
  try {
    await startJob(job, startMs)
    await store.jobs.update(job, audit(job))
  } catch (error) {
    await store.jobs.delete(job.scope, job.id)
    throw error
  }
  return job
}

const jobsMax: Readonly<Record<Scope['kind'], number>> = {
  zone: logpushLimits.jobsPerZoneMax,
  account: logpushLimits.jobsPerAccountMax,
}

async function update(
  before: LogpushJob,
  { job, startMs }: WantedJob<LogpushJob>,
  { store, startJob }: ApiDeps,
  entry: AuditEntry,
): Promise<void> {
  // Before it is enabled, so that it never runs without a starting point.
  if (job.enabled && !before.enabled) await startJob(job, startMs)
  try {
    await store.jobs.update(job, entry)
  } catch (error) {
    throw error instanceof StoreError && error.code === 'stale' ? jobNotFound(String(job.id)) : error
  }
  if (!job.enabled && before.enabled) await store.delivery.stop(job.id)
}

function challengeOf(body: unknown): string {
  const { ownership_challenge: challenge } = body as { readonly ownership_challenge?: unknown }
  return typeof challenge === 'string' ? challenge : ''
}
