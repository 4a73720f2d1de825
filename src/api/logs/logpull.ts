import { Type } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type PullOptions, pulledFields, pullFormat, pullRange } from '../../logpush/index.ts'
import { auditEntry } from '../access/audit/entry.ts'
import { credentialsOf } from '../access/auth.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, zoneOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { accepted, refusal } from '../http/errors.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { optional, strict, text } from '../http/schemas.ts'
import { fieldsSchema } from '../logpush/datasets.ts'
import { operationsOf, textAnswer } from '../openapi/operation.ts'
import { answerWithLines, type Lines } from './line-stream.ts'
import { PullLimits } from './pull-counts.ts'

export const retentionSchema = Type.Object({ flag: Type.Boolean() })

const operation = operationsOf('Logpull')
const lines = { answers: textAnswer('application/x-ndjson') }
const described = {
  fields: operation('listPulledFields', 'List the fields of records', ['zoneLogs', 'read'], {
    answers: { 200: { description: 'Done', content: { 'application/json': { schema: fieldsSchema } } } },
  }),
  received: operation(
    'pullReceivedLogs',
    'Get the records received in a time range',
    ['zoneLogs', 'read'],
    lines,
  ),
  ofRay: operation('pullLogsOfRay', 'Get the records with a Ray ID', ['zoneLogs', 'read'], lines),
  retention: operation('getLogRetention', 'Get the log retention flag', ['zoneLogs', 'read'], {
    result: retentionSchema,
  }),
  setRetention: operation('setLogRetention', 'Set the log retention flag', ['zoneLogs', 'write'], {
    result: retentionSchema,
  }),
}

/** The logpush module checks the values. */
const lineQuery = {
  fields: optional(Type.String({ description: 'Comma-separated names' })),
  timestamps: optional(Type.Enum(['unixnano', 'unix', 'rfc3339'])),
}

const receivedQuery = Type.Object(
  {
    start: optional(Type.String({ description: 'Unix seconds or nanoseconds, or RFC 3339; inclusive' })),
    end: Type.String({ description: 'The same forms; exclusive' }),
    count: optional(Type.Integer({ minimum: 1 })),
    sample: optional(text),
    ...lineQuery,
    'CVE-2021-44228': optional(Type.Enum(['true', 'false'])),
  },
  strict,
)

const rayQuery = Type.Object(lineQuery, strict)

const flagBody = Type.Object({ flag: Type.Boolean() }, strict)

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
  const writes = new KeyedQueue()
  // Answers can take minutes; a stop does not wait for them.
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort(new Error('the server stops')))

  app.get('/logs/received/fields', { config: described.fields }, async () => pulledFields())

  app.get(
    '/logs/received',
    { config: described.received, schema: { querystring: receivedQuery }, exposeHeadRoute: false },
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
    { config: described.ofRay, schema: { querystring: rayQuery }, exposeHeadRoute: false },
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

  app.get('/logs/control/retention/flag', { config: described.retention }, async request =>
    success({ flag: await store.retention.get(zoneOf(request).id) }),
  )

  const setRetention = { config: described.setRetention, schema: { body: flagBody } }
  app.post('/logs/control/retention/flag', setRetention, async request => {
    const { id } = zoneOf(request)
    const { flag } = request.body
    const resource = { kind: 'logpull_retention', id }
    return writes.write(id, async () => {
      const stored = await store.retention.get(id)
      const change = { action: 'update', resource, before: { flag: stored }, after: { flag } } as const
      await store.retention.set(id, flag, auditEntry(request, change), { before: stored })
      return success({ flag })
    })
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

/** @throws ApiError 400 if the text cannot be a Ray ID */
function knownRayId(text: string): string {
  if (/^[0-9a-f]{16}$/.test(text)) return text
  const value = text.length > 64 ? `${text.slice(0, 64)}…` : text
  const reason = 'it has to be 16 lower-case hex digits, without the code of a data centre'
  throw refusal('badValue', { value, field: 'ray id', reason })
}
