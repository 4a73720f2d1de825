import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { timestampOf } from '../../kit/clock.ts'
import { type LogPull, pulledFields, pullFormat, RayIdTooFarError } from '../../logpush/index.ts'
import type { LogRecord } from '../../model/dataset.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, zoneOf } from '../http/context.ts'
import { disconnectSignal } from '../http/disconnect.ts'
import { success } from '../http/envelope.ts'
import { accepted, refusal } from '../http/errors.ts'
import { nullable, text, time } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import { eventSchema } from './event-schema.ts'
import { analyticsRequestLimits } from './limits.ts'
import type { QueryQueue } from './query-queue.ts'
import { phasesOfRay, rayPhasesSchema } from './ray-phases.ts'
import { eventToWire } from './wire.ts'

export const raySchema = Type.Object({
  ray_id: text,
  datetime: time,
  phases: rayPhasesSchema,
  events: Type.Array(eventSchema),
  request: nullable(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'The http_requests record with every field, as Logpush delivers it; null if the record log does not have it',
      },
    ),
  ),
  request_search: Type.Enum(['found', 'not_kept', 'unfinished'], {
    description:
      'not_kept: the whole record log was searched; unfinished: the search ended early, because the record log is too long or too many searches run',
  }),
})

const described = operationsOf('Security analytics')(
  'getSecurityRay',
  'Explain the response to a request: every phase and rule in order',
  ['zoneLogs', 'read'],
  { result: raySchema },
)

interface RayPath {
  Params: { readonly ray_id: string }
}

/** The record of one request; if it was not found, whether the whole record log was searched. */
type Search =
  | { readonly outcome: 'found'; readonly request: LogRecord }
  | { readonly outcome: 'not_kept' | 'unfinished'; readonly request: null }

const unfinished: Search = { outcome: 'unfinished', request: null }

/** Explains the response to one request. */
export function securityRayRoutes(app: Api, deps: ApiDeps, queue: QueryQueue): void {
  const { analytics } = deps
  let searches = 0
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort(new Error('the server stops')))

  app.get<RayPath>('/security/rays/:ray_id', { config: described }, async (request, reply) => {
    const { id: zoneId } = zoneOf(request)
    const rayId = knownRayId(request.params.ray_id)
    const stored = await queue.run(reply, () => analytics.eventsOfRay(zoneId, rayId))
    const wanted = { zoneId, rayId, nearMs: stored[0]?.position.timeMs }
    const search = await find(wanted, request, disconnectSignal(reply))
    const events = stored.map(eventToWire)
    const datetime = events[0]?.datetime ?? startOf(search.request)
    if (datetime === undefined)
      throw refusal('rayNotFound', { ray: rayId, searched: searchedTexts[search.outcome] })
    return success({
      ray_id: rayId,
      datetime,
      phases: phasesOfRay(events, search.request),
      events,
      request: search.request,
      request_search: search.outcome,
    })
  })

  async function find(wanted: Wanted, request: FastifyRequest, gone: AbortSignal): Promise<Search> {
    if (searches >= analyticsRequestLimits.raySearchesMax) return unfinished
    searches++
    try {
      return await findRequest(deps, wanted, AbortSignal.any([closing.signal, gone]), request)
    } finally {
      searches--
    }
  }
}

const searchedTexts: { readonly [O in Search['outcome']]: string } = {
  found: 'it has no time',
  not_kept: 'all stored records were searched',
  unfinished: 'not all records could be searched now',
}

/** @throws ApiError 400 if the text cannot be a Ray ID */
function knownRayId(text: string): string {
  if (/^[0-9a-f]{16}$/.test(text)) return text
  const reason = 'it has to be 16 lower-case hex digits, without the code of a data centre'
  throw refusal('badValue', { value: text.slice(0, 64), field: 'ray id', reason })
}

/** Every field, times in RFC 3339. */
const format = accepted(pullFormat({ fields: Object.keys(pulledFields()).join(), timestamps: 'rfc3339' }))

interface Wanted {
  readonly zoneId: string
  readonly rayId: string
  /** When the request began, if that is known. */
  readonly nearMs: number | undefined
}

async function findRequest(
  { readLogs, clock }: ApiDeps,
  { zoneId, rayId, nearMs }: Wanted,
  ended: AbortSignal,
  request: FastifyRequest,
): Promise<Search> {
  const nowMs = clock.nowMs()
  const signal = AbortSignal.any([ended, AbortSignal.timeout(analyticsRequestLimits.raySearchMs)])
  const from = (pull: LogPull) => lineWith(rayId, readLogs(pull, signal))
  try {
    const near =
      nearMs === undefined
        ? undefined
        : await from({
            kind: 'received',
            zoneId,
            format,
            countMax: Number.POSITIVE_INFINITY,
            ...after(nearMs),
          })
    const found = near ?? (await from({ kind: 'ray', zoneId, format, rayId, nowMs }))
    return found === undefined ? { outcome: 'not_kept', request: null } : { outcome: 'found', request: found }
  } catch (error) {
    if (!signal.aborted && !(error instanceof RayIdTooFarError))
      request.log.warn({ err: error, id: request.id }, 'log records cannot be read')
    return unfinished
  }
}

/** Most requests end within this time, and their records are received then. */
const nearTimeMs = 10_000

function after(startedMs: number): { readonly fromMs: number; readonly toMs: number } {
  return { fromMs: startedMs, toMs: startedMs + nearTimeMs }
}

async function lineWith(rayId: string, chunks: AsyncGenerator<string, void>): Promise<LogRecord | undefined> {
  for await (const chunk of chunks) {
    if (!chunk.includes(rayId)) continue
    for (const line of chunk.split('\n')) {
      if (!line.includes(rayId)) continue
      const record = JSON.parse(line) as LogRecord
      if (record['RayID'] === rayId) return record
    }
  }
  return undefined
}

function startOf(request: LogRecord | null): string | undefined {
  const start = request?.['EdgeStartTimestamp']
  const ms = typeof start === 'string' ? Date.parse(start) : Number.NaN
  return Number.isNaN(ms) ? undefined : timestampOf(ms)
}
