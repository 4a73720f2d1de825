import { Type } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type PullOptions, pulledFields, pullFormat, pullRange } from '../logpush/index.ts'
import { auditEntry } from './audit.ts'
import { credentialsOf } from './auth.ts'
import { type Api, zoneOf } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { success } from './envelope.ts'
import { accepted, refusal } from './errors.ts'
import { PullLimits } from './logpull-limits.ts'
import { answerWithLines, type Lines } from './logpull-stream.ts'

const optional = Type.Optional
const text = Type.String()

/** Values are checked by the logpush room. */
const lineQuery = {
  fields: optional(Type.String({ description: 'Names with commas between them' })),
  timestamps: optional(Type.Enum(['unixnano', 'unix', 'rfc3339'])),
}

const receivedQuery = Type.Object(
  {
    start: optional(Type.String({ description: 'Unix seconds or nanoseconds, or RFC 3339; included' })),
    end: Type.String({ description: 'The same; not included' }),
    count: optional(Type.Integer({ minimum: 1 })),
    sample: optional(text),
    ...lineQuery,
    'CVE-2021-44228': optional(Type.Enum(['true', 'false'])),
  },
  { additionalProperties: false },
)

const rayQuery = Type.Object(lineQuery, { additionalProperties: false })

const flagBody = Type.Object({ flag: Type.Boolean() }, { additionalProperties: false })

interface RayPath {
  Params: { readonly ray_id: string }
}

/**
 * Logpull: records of a zone on request, as NDJSON without the envelope. Refusals have it.
 * @source Cloudflare, "Logpull"
 */
export function logpullRoutes(app: Api, deps: ApiDeps): void {
  const { store, clock } = deps
  const limits = new PullLimits(clock)
  // Answers can take minutes; a stop does not wait for them.
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort(new Error('the server stops')))

  app.get('/logs/received/fields', async () => pulledFields())

  app.get(
    '/logs/received',
    { schema: { querystring: receivedQuery }, exposeHeadRoute: false },
    async (request, reply) => {
      const zoneId = await pullableZone(request, deps)
      const { start, end, count, ...options } = request.query
      const range = accepted(pullRange(start, end, clock.nowMs()))
      const format = accepted(pullFormat(options))
      const countMax = count ?? Number.POSITIVE_INFINITY
      return answer(request, reply, zoneId, signal =>
        deps.readLogs({ kind: 'received', zoneId, format, ...range, countMax }, signal),
      )
    },
  )

  app.get<RayPath & { Querystring: PullOptions }>(
    '/logs/rayids/:ray_id',
    { schema: { querystring: rayQuery }, exposeHeadRoute: false },
    async (request, reply) => {
      const zoneId = await pullableZone(request, deps)
      const rayId = knownRayId(request.params.ray_id)
      const format = accepted(pullFormat(request.query))
      const nowMs = clock.nowMs()
      return answer(request, reply, zoneId, signal =>
        deps.readLogs({ kind: 'ray', zoneId, format, rayId, nowMs }, signal),
      )
    },
  )

  app.get('/logs/control/retention/flag', async request =>
    success({ flag: await store.retention.get(zoneOf(request).id) }),
  )

  app.post('/logs/control/retention/flag', { schema: { body: flagBody } }, async request => {
    const { id } = zoneOf(request)
    const { flag } = request.body
    const before = { flag: await store.retention.get(id) }
    const resource = { kind: 'logpull_retention', id }
    await store.retention.set(
      id,
      flag,
      auditEntry(request, { action: 'update', resource, before, after: { flag } }),
    )
    return success({ flag })
  })

  function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    zoneId: string,
    lines: Lines,
  ): Promise<FastifyReply> {
    limits.count(zoneId, credentialsOf(request).userId, reply)
    // The connection would be kept alive, and the stop wait for that.
    reply.raw.once('finish', () => {
      if (closing.signal.aborted) request.raw.socket.end()
    })
    const untilClosing: Lines = signal => lines(AbortSignal.any([signal, closing.signal]))
    return answerWithLines(request, reply, untilClosing, limits.beginAnswer())
  }
}

/** @throws ApiError 403 while the zone's retention flag is off */
async function pullableZone(request: FastifyRequest, { store }: ApiDeps): Promise<string> {
  const { id } = zoneOf(request)
  if (!(await store.retention.get(id))) throw refusal('logRetentionOff', { zone: id })
  return id
}

/** @throws ApiError 400 for what cannot be one */
function knownRayId(text: string): string {
  if (/^[0-9a-f]{16}$/.test(text)) return text
  const value = text.length > 64 ? `${text.slice(0, 64)}…` : text
  const reason = 'it has to be 16 lower-case hex digits, without the code of a data centre'
  throw refusal('badValue', { value, field: 'ray id', reason })
}
