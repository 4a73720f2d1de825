import { Type } from '@fastify/type-provider-typebox'
import { timestampOf } from '../kit/clock.ts'
import { logpushLimits } from '../kit/limits.ts'
import { momentForms, momentOf, ReplayRangeError, type ReplayRequest } from '../logpush/index.ts'
import type { Replay } from '../model/resource.ts'
import { auditEntry } from './audit.ts'
import type { Api } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { success } from './envelope.ts'
import { type ApiError, refusal } from './errors.ts'
import { isNumberedId, type JobPath, jobOf } from './find-job.ts'
import { Turns } from './turns.ts'

const time = Type.Union([Type.String(), Type.Integer()])

const body = Type.Object(
  {
    start: time,
    end: time,
  },
  { additionalProperties: false },
)

interface ReplayPath {
  Params: { readonly job_id: string; readonly replay_id: string }
}

/** Sluice's own: records of a time that has passed, delivered by a job once more. */
export function logpushReplayRoutes(app: Api, { store, clock, replayJob }: ApiDeps): void {
  const turns = new Turns()
  const requireRoom = async (jobId: number) => {
    const max = logpushLimits.replaysRunningMax
    const running = (await store.replays.list(jobId)).filter(({ status }) => status === 'running')
    if (running.length >= max) throw refusal('tooManyReplays', { limit: String(max) })
  }

  app.post<JobPath & { Body: { readonly start: string | number; readonly end: string | number } }>(
    '/logpush/jobs/:job_id/replay',
    { schema: { body } },
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
        // One at a time, so that they cannot be more together than each of them sees.
        const replay = await turns.run(String(job.id), async () => {
          await requireRoom(job.id)
          return replayJob(job, wanted, audit)
        })
        return success(replayToWire(replay))
      } catch (error) {
        if (error instanceof ReplayRangeError)
          throw refusal('replayRange', { reason: error.message }, '/start')
        throw error
      }
    },
  )

  app.get<JobPath>('/logpush/jobs/:job_id/replays', async request => {
    const job = await jobOf(request, store)
    return success((await store.replays.list(job.id)).map(replayToWire))
  })

  app.get<ReplayPath>('/logpush/jobs/:job_id/replays/:replay_id', async request => {
    const job = await jobOf(request, store)
    const { replay_id: id } = request.params
    const replay = isNumberedId(id) ? await store.replays.get(job.id, Number(id)) : undefined
    if (replay === undefined) throw refusal('replayNotFound', { id: id.slice(0, 32), job: String(job.id) })
    return success(replayToWire(replay))
  })
}

function replayToWire(replay: Replay): object {
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

/** As it was written where it was written so. */
function rfc3339(value: string | number, ms: number): string {
  const text = String(value)
  return /^\d+$/.test(text) ? timestampOf(ms) : text
}

function badTime(field: string, value: string | number, reason: string): ApiError {
  return refusal('badValue', { value: String(value).slice(0, 64), field, reason }, `/${field}`)
}
