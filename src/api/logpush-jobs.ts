import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { logpushLimits } from '../kit/limits.ts'
import { createJob, updateJob } from '../logpush/index.ts'
import type { AuditEntry, LogpushJob, Zone } from '../model/resource.ts'
import { auditEntry } from './audit.ts'
import { type Api, zoneOf } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { success } from './envelope.ts'
import { accepted, refusal } from './errors.ts'
import { jobToWire } from './job-wire.ts'
import { admitDestination } from './ownership.ts'
import { Turns } from './turns.ts'

/** What is in a job is checked by the logpush room; here it only has to be an object. */
const body = Type.Object({})

interface JobPath {
  Params: { readonly job_id: string }
}

/** Log push jobs of a zone. */
export function logpushJobRoutes(app: Api, deps: ApiDeps): void {
  const { store } = deps
  const turns = new Turns()

  app.get('/logpush/jobs', async request =>
    success((await store.jobs.list(zoneOf(request).id)).map(jobToWire)),
  )

  app.post('/logpush/jobs', { schema: { body } }, async request => {
    const zone = zoneOf(request)
    const wanted = accepted(createJob(request.body, zone.id))
    await admitDestination(wanted.destinationConf, challengeOf(request.body), zone, deps)
    const job = await turns.run(zone.id, () =>
      insert(wanted, deps, made => changeOf(request, 'create', undefined, made)),
    )
    return success(jobToWire(job))
  })

  app.get<JobPath>('/logpush/jobs/:job_id', async request =>
    success(jobToWire(await findJob(zoneOf(request), request.params.job_id, deps))),
  )

  app.put<JobPath>('/logpush/jobs/:job_id', { schema: { body } }, async request => {
    const zone = zoneOf(request)
    const { job_id: id } = request.params
    const current = await findJob(zone, id, deps)
    const wanted = accepted(updateJob(request.body, current))
    if (wanted.destinationConf !== current.destinationConf) {
      await admitDestination(wanted.destinationConf, challengeOf(request.body), zone, deps)
    }
    // The probe takes its time: what others changed meanwhile is kept.
    const job = await turns.run(zone.id, async () => {
      const latest = await findJob(zone, id, deps)
      const updated = accepted(updateJob(request.body, latest))
      // Before it is enabled, so that it never runs without a starting point.
      if (updated.enabled && !latest.enabled) await deps.startJob(updated)
      await store.jobs.update(updated, changeOf(request, 'update', latest, updated))
      if (!updated.enabled && latest.enabled) await store.delivery.stop(updated.id)
      return updated
    })
    return success(jobToWire(job))
  })

  app.delete<JobPath>('/logpush/jobs/:job_id', async request => {
    const { job_id: id } = request.params
    const job = await findJob(zoneOf(request), id, deps)
    const entry = changeOf(request, 'delete', job, undefined)
    if (!(await store.jobs.delete(job.zoneId, job.id, entry))) throw jobNotFound(id)
    return success({ id: Number(id) })
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
    before: before === undefined ? null : jobToWire(before),
    after: after === undefined ? null : jobToWire(after),
  })
}

async function insert(
  wanted: Omit<LogpushJob, 'id'>,
  { store, startJob }: ApiDeps,
  audit: (made: LogpushJob) => AuditEntry,
): Promise<LogpushJob> {
  const present = await store.jobs.list(wanted.zoneId)
  if (present.length >= logpushLimits.jobsPerZoneMax)
    throw refusal('tooManyJobs', { dataset: wanted.dataset })
  if (!wanted.enabled) return store.jobs.insert(wanted, audit)
  // Without a starting point it would deliver everything that the spool still holds.
  const waiting = await store.jobs.insert({ ...wanted, enabled: false })
  const job = { ...waiting, enabled: true }
  try {
    await startJob(job)
    await store.jobs.update(job, audit(job))
  } catch (error) {
    await store.jobs.delete(job.zoneId, job.id)
    throw error
  }
  return job
}

async function findJob(zone: Zone, id: string, { store }: ApiDeps): Promise<LogpushJob> {
  const job = isJobId(id) ? await store.jobs.get(zone.id, Number(id)) : undefined
  if (job === undefined) throw jobNotFound(id)
  return job
}

function isJobId(text: string): boolean {
  return /^[1-9][0-9]{0,14}$/.test(text)
}

function jobNotFound(id: string): Error {
  return refusal('jobNotFound', { id: id.slice(0, 32) })
}

function challengeOf(body: unknown): string {
  const { ownership_challenge: challenge } = body as { readonly ownership_challenge?: unknown }
  return typeof challenge === 'string' ? challenge : ''
}
