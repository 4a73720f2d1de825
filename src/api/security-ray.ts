import type { FastifyRequest } from 'fastify'
import { timestampOf } from '../kit/clock.ts'
import { analyticsLimits } from '../kit/limits.ts'
import { type LogPull, pulledFields, pullFormat, RayIdTooFarError } from '../logpush/index.ts'
import type { LogRecord } from '../model/dataset.ts'
import { type Api, zoneOf } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { success } from './envelope.ts'
import { accepted, refusal } from './errors.ts'
import { whenGone } from './gone.ts'
import type { Questions } from './questions.ts'
import { phasesOfRay } from './security-phases.ts'
import { eventToWire } from './security-wire.ts'

interface RayPath {
  Params: { readonly ray_id: string }
}

/** What the record log has of one request, and if nothing, whether all of it was searched. */
type Search =
  | { readonly outcome: 'found'; readonly request: LogRecord }
  | { readonly outcome: 'not_kept' | 'unfinished'; readonly request: null }

const unfinished: Search = { outcome: 'unfinished', request: null }

/** Why a request was answered as it was. */
export function securityRayRoutes(app: Api, deps: ApiDeps, questions: Questions): void {
  const { analytics } = deps
  let searches = 0
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort(new Error('the server stops')))

  app.get<RayPath>('/security/rays/:ray_id', async (request, reply) => {
    const { id: zoneId } = zoneOf(request)
    const rayId = knownRayId(request.params.ray_id)
    const stored = await questions.ask(reply, () => analytics.eventsOfRay(zoneId, rayId))
    const wanted = { zoneId, rayId, nearMs: stored[0]?.place.timeMs }
    const search = await find(wanted, request, whenGone(reply))
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
    if (searches >= analyticsLimits.raySearchesMax) return unfinished
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
  not_kept: 'all records that are kept were searched',
  unfinished: 'not all records could be searched now',
}

/** @throws ApiError 400 for what cannot be one */
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
  const signal = AbortSignal.any([ended, AbortSignal.timeout(analyticsLimits.raySearchMs)])
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
