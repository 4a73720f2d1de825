import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { createJob, updateJob, type WantedJob } from '../../logpush/index.ts'
import type { AuditEntry, LogpushJob, Scope } from '../../model/resource.ts'
import { StoreError } from '../../store/port/error.ts'
import { auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, scopeOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { accepted, refusal } from '../http/errors.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { findJob, type JobPath, jobOf } from './find-job.ts'
import {
  jobChange,
  jobIdSchema,
  jobInputSchema,
  jobSchema,
  jobsShownTo,
  jobToWire,
  jobUpdateSchema,
} from './job-wire.ts'
import { logpushOperations } from './operation.ts'
import { admitDestination } from './ownership.ts'

/** The logpush module checks the members of a job; the route requires only an object. */
const body = Type.Object({})

function describedAt(scope: Scope['kind']) {
  const { operation, whose, isZone } = logpushOperations(scope)
  return {
    list: operation('listLogpushJobs', `List the jobs ${whose}`, 'read', { result: Type.Array(jobSchema) }),
    create: operation('createLogpushJob', `Create a job ${whose}`, 'write', {
      result: jobSchema,
      body: jobInputSchema,
      ...(isZone ? { example: createExample } : {}),
    }),
    get: operation('getLogpushJob', `Get a job ${whose}`, 'read', { result: jobSchema }),
    update: operation('updateLogpushJob', `Change a job ${whose}`, 'write', {
      result: jobSchema,
      body: jobUpdateSchema,
      ...(isZone ? { example: { enabled: true, start: '2026-01-02T03:00:00Z' } } : {}),
    }),
    delete: operation('deleteLogpushJob', `Delete a job ${whose}`, 'write', { result: jobIdSchema }),
  }
}

const createExample = {
  name: 'searches',
  dataset: 'http_requests',
  destination_conf: 'file:./searches/{DATE}',
  output_options: { field_names: ['RayID', 'ClientIP', 'EdgeResponseStatus'], timestamp_format: 'rfc3339' },
  filter: '{"where":{"key":"ClientRequestPath","operator":"eq","value":"/search"}}',
}

/** Logpush jobs of an account or a zone; each has a separate list. */
export function logpushJobRoutes(app: Api, deps: ApiDeps, scope: Scope['kind']): void {
  const { store, clock } = deps
  const described = describedAt(scope)
  const writes = new KeyedQueue()

  app.get('/logpush/jobs', { config: described.list }, async request =>
    success(jobsShownTo(request, await store.jobs.list(scopeOf(request)))),
  )

  app.post('/logpush/jobs', { config: described.create, schema: { body } }, async request => {
    const scope = scopeOf(request)
    const wanted = accepted(createJob(request.body, scope, clock.nowMs()))
    await admitDestination(wanted.job.destinationConf, challengeOf(request.body), scope, deps)
    const job = await writes.write(scope.id, () =>
      insert(wanted, deps, made => changeOf(request, 'create', undefined, made)),
    )
    return success(jobToWire(job))
  })

  app.get<JobPath>('/logpush/jobs/:job_id', { config: described.get }, async request => {
    const [shown] = jobsShownTo(request, [await jobOf(request, store)])
    return success(shown)
  })

  const change = { config: described.update, schema: { body } }
  app.put<JobPath>('/logpush/jobs/:job_id', change, async request => {
    const scope = scopeOf(request)
    const { job_id: id } = request.params
    const current = await findJob(scope, id, store)
    const wanted = accepted(updateJob(request.body, current, clock.nowMs()))
    if (wanted.job.destinationConf !== current.destinationConf) {
      await admitDestination(wanted.job.destinationConf, challengeOf(request.body), scope, deps)
    }
    // The probe takes time: changes by others in the meantime are kept.
    const job = await writes.write(scope.id, async () => {
      const latest = await findJob(scope, id, store)
      const updated = accepted(updateJob(request.body, latest, clock.nowMs()))
      await update(latest, updated, deps, changeOf(request, 'update', latest, updated.job))
      return updated.job
    })
    return success(jobToWire(job))
  })

  app.delete<JobPath>('/logpush/jobs/:job_id', { config: described.delete }, async request => {
    return writes.write(scopeOf(request).id, async () => {
      const job = await jobOf(request, store)
      const entry = changeOf(request, 'delete', job, undefined)
      await store.jobs.delete(job.scope, job.id, entry, job.revision)
      return success({ id: job.id })
    })
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
  const refuse = (error: unknown): never => {
    if (error instanceof StoreError && error.code === 'full')
      throw refusal('tooManyJobs', { dataset: wanted.dataset })
    throw error
  }
  if (!wanted.enabled) return store.jobs.insert(wanted, audit).catch(refuse)
  // Without a starting point it would deliver everything that the spool still holds.
  const waiting = await store.jobs.insert({ ...wanted, enabled: false }).catch(refuse)
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

async function update(
  before: LogpushJob,
  { job, startMs }: WantedJob<LogpushJob>,
  { store, startJob }: ApiDeps,
  entry: AuditEntry,
): Promise<void> {
  // Before it is enabled, so that it never runs without a starting point.
  if (job.enabled && !before.enabled) await startJob(job, startMs)
  await store.jobs.update(job, entry)
}

function challengeOf(body: unknown): string {
  const { ownership_challenge: challenge } = body as { readonly ownership_challenge?: unknown }
  return typeof challenge === 'string' ? challenge : ''
}
