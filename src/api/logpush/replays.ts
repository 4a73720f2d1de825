import { Type } from '@fastify/type-provider-typebox'
import { timestampOf } from '../../kit/clock.ts'
import {
  momentForms,
  momentOf,
  ReplayRangeError,
  type ReplayRequest,
  recordsElsewhere,
} from '../../logpush/index.ts'
import type { Replay, Scope } from '../../model/resource.ts'
import { jobLimits } from '../../store/limits.ts'
import { StoreError } from '../../store/port/error.ts'
import { auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import type { Api } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { type ApiError, refusal } from '../http/errors.ts'
import { count, nullable, strict, text, time, type Wire } from '../http/schemas.ts'
import { isNumberedId, type JobPath, jobOf } from './find-job.ts'
import { logpushOperations } from './operation.ts'

const moment = Type.Union([Type.String(), Type.Integer()])
const body = Type.Object({ start: moment, end: moment }, strict)

export const replaySchema = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  job_id: Type.Integer({ minimum: 1 }),
  start: Type.String({ format: 'date-time', description: 'inclusive' }),
  end: Type.String({ format: 'date-time', description: 'exclusive' }),
  retained_since: nullable(
    Type.String({
      format: 'date-time',
      description: 'older records of the range were already deleted; null if none was missing',
    }),
  ),
  status: Type.Enum(['running', 'completed', 'failed', 'canceled']),
  created_on: time,
  completed_on: nullable(time),
  lines: count,
  objects: count,
  error_message: nullable(text),
})

function describedAt(scope: Scope['kind']) {
  const { operation, whose, isZone } = logpushOperations(scope)
  return {
    create: operation(
      'createLogpushReplay',
      `Deliver the records of a time range again with a job ${whose}`,
      'write',
      {
        result: replaySchema,
        ...(isZone ? { example: { start: '2026-01-02T03:00:00Z', end: '2026-01-02T04:00:00Z' } } : {}),
      },
    ),
    list: operation('listLogpushReplays', `List the replays of a job ${whose}, newest first`, 'read', {
      result: Type.Array(replaySchema),
    }),
    get: operation('getLogpushReplay', `Get a replay of a job ${whose}`, 'read', { result: replaySchema }),
  }
}

interface ReplayPath {
  Params: { readonly job_id: string; readonly replay_id: string }
}

/** Sluice's own: a job delivers the records of a past time range again. */
export function logpushReplayRoutes(
  app: Api,
  { store, clock, records, replayJob }: ApiDeps,
  scope: Scope['kind'],
): void {
  const described = describedAt(scope)
  app.post<JobPath & { Body: { readonly start: string | number; readonly end: string | number } }>(
    '/logpush/jobs/:job_id/replay',
    { config: described.create, schema: { body } },
    async request => {
      const job = await jobOf(request, store)
      if (!job.enabled) throw refusal('replayOfDisabled')
      const wanted = replayRequest(request.body.start, request.body.end, clock.nowMs())
      const audit = (replay: Replay) =>
        auditEntry(request, {
          action: 'create',
          resource: { kind: 'logpush_replay', id: `${job.id}/${replay.id}` },
          before: null,
          after: replayToWire(replay),
        })
      try {
        const replay = await replayJob(job, wanted, audit)
        const elsewhere = await recordsElsewhere(store, records, job)
        const messages =
          elsewhere === undefined ? [] : [{ code: elsewhereCode, message: elsewhere, type: null }]
        return success(replayToWire(replay), messages)
      } catch (error) {
        if (error instanceof ReplayRangeError)
          throw refusal('replayRange', { reason: error.message }, '/start')
        if (error instanceof StoreError && error.code === 'full')
          throw refusal('tooManyReplays', { limit: String(jobLimits.replaysRunningMax) })
        throw error
      }
    },
  )

  app.get<JobPath>('/logpush/jobs/:job_id/replays', { config: described.list }, async request => {
    const job = await jobOf(request, store)
    return success((await store.replays.list(job.id)).map(replayToWire))
  })

  const get = { config: described.get }
  app.get<ReplayPath>('/logpush/jobs/:job_id/replays/:replay_id', get, async request => {
    const job = await jobOf(request, store)
    const { replay_id: id } = request.params
    const replay = isNumberedId(id) ? await store.replays.get(job.id, Number(id)) : undefined
    if (replay === undefined) throw refusal('replayNotFound', { id: id.slice(0, 32), job: String(job.id) })
    return success(replayToWire(replay))
  })
}

/** Of a message, not of an error. */
const elsewhereCode = 10481

export function replayToWire(replay: Replay): Wire<typeof replaySchema> {
  return {
    id: replay.id,
    job_id: replay.jobId,
    start: replay.start,
    end: replay.end,
    retained_since: replay.retainedSince,
    status: replay.status,
    created_on: replay.createdOn,
    completed_on: replay.completedOn,
    lines: replay.lines,
    objects: replay.objects,
    error_message: replay.errorMessage,
  }
}

/** @throws ApiError 400 */
function replayRequest(start: string | number, end: string | number, nowMs: number): ReplayRequest {
  const startMs = requiredMoment('start', start)
  const endMs = requiredMoment('end', end)
  if (endMs <= startMs) throw badTime('end', end, 'it has to be later than start')
  if (endMs > nowMs) throw badTime('end', end, 'it is in the future')
  return { start: rfc3339(start, startMs), end: rfc3339(end, endMs), startMs, endMs }
}

function requiredMoment(name: string, value: string | number): number {
  const moment = momentOf(String(value))
  if (moment === undefined) throw badTime(name, value, `it has to be ${momentForms}`)
  return moment
}

/** Keeps the given text if it is RFC 3339 already. */
function rfc3339(value: string | number, ms: number): string {
  const text = String(value)
  return /^\d+$/.test(text) ? timestampOf(ms) : text
}

function badTime(field: string, value: string | number, reason: string): ApiError {
  return refusal('badValue', { value: String(value).slice(0, 64), field, reason }, `/${field}`)
}
