import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { timestampOf } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import { checkInstantSession, instantSessionEnd } from '../../logpush/index.ts'
import type { InstantSession, Zone } from '../../model/resource.ts'
import { type AuditedChange, auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, zoneOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { accepted, refusal } from '../http/errors.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { describedText, strict, text, type Wire } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import { instantSocketLimits } from './limits.ts'

const kind = 'instant-logs'

/** The logpush module checks the values. */
const body = Type.Object(
  {
    fields: Type.Optional(
      Type.String({
        maxLength: instantSocketLimits.fieldsCharactersMax,
        description: 'Comma-separated names',
      }),
    ),
    filter: Type.Optional(Type.String({ maxLength: instantSocketLimits.filterCharactersMax })),
    sample: Type.Optional(
      Type.Number({ description: 'Sampling interval: 1 sends every record, 10 every tenth' }),
    ),
    kind: Type.Optional(Type.Enum(['', kind])),
  },
  strict,
)

export const sessionSchema = Type.Object({
  session_id: text,
  destination_conf: describedText('URL of the WebSocket'),
  kind: Type.Enum([kind]),
  fields: text,
  filter: text,
  sample: Type.Integer(),
})

/** Listening needs read permission only. */
const need = ['zoneLogs', 'read'] as const
const operation = operationsOf('Instant Logs')
const listed = 'List the active sessions of a zone'
const created = 'Create a session for live records'
const result = sessionSchema
const results = Type.Array(sessionSchema)
const example = {
  fields: 'ClientIP,ClientRequestMethod,ClientRequestURI,EdgeResponseStatus,RayID',
  filter: '{"where":{"key":"EdgeResponseStatus","operator":"geq","value":400}}',
  sample: 1,
  kind,
}

/** Current and older path of the documentation. */
const paths = [
  {
    path: '/logpush/edge/jobs',
    list: operation('listInstantLogs', listed, need, { result: results }),
    create: operation('createInstantLogs', created, need, { result, example }),
  },
  {
    path: '/logpush/edge',
    list: operation('listInstantLogsOld', `${listed} (older path)`, need, { result: results }),
    create: operation('createInstantLogsOld', `${created} (older path)`, need, { result }),
  },
] as const

const ended = operation('endInstantLogs', 'End the active session of a zone', need, { result: results })

/**
 * Sessions for the live records of a zone. The address of a session is its credential.
 * @source Cloudflare, "Instant Logs"
 */
export function instantLogsRoutes(app: Api, deps: ApiDeps): void {
  const { store, clock } = deps
  const writes = new KeyedQueue()

  for (const { path, list, create: creation } of paths) {
    app.get(path, { config: list }, async request => {
      const nowMs = clock.nowMs()
      const sessions = await store.instant.list(zoneOf(request).id)
      return success(
        sessions
          .filter(session => instantSessionEnd(session, nowMs) === undefined)
          .map(session => sessionToWire(session, request)),
      )
    })

    app.post(path, { config: creation, schema: { body } }, async request => {
      const zone = zoneOf(request)
      const { kind: _, ...wish } = request.body
      const wanted = accepted(checkInstantSession(wish))
      const session = await writes.write(zone.id, () => create(zone, wanted, request, deps))
      return success(sessionToWire(session, request))
    })
  }

  /** Sluice's own: ends the session, so that another can begin. Its listeners are disconnected within a minute. */
  app.delete(paths[0].path, { config: ended }, async request => {
    const zone = zoneOf(request)
    await writes.run(zone.id, async () => {
      for (const session of await store.instant.list(zone.id))
        await store.instant.delete(session.id, auditEntry(request, changeOf(session, 'delete')))
    })
    return success([])
  })
}

/** @throws ApiError 403 while the zone has a session that is not over */
async function create(
  zone: Zone,
  wanted: Pick<InstantSession, 'fields' | 'filter' | 'sample'>,
  request: FastifyRequest,
  { store, clock }: ApiDeps,
): Promise<InstantSession> {
  const nowMs = clock.nowMs()
  for (const present of await store.instant.list(zone.id)) {
    if (instantSessionEnd(present, nowMs) === undefined) throw refusal('sessionActive', { zone: zone.id })
    await store.instant.delete(present.id, auditEntry(request, changeOf(present, 'delete')))
  }
  const now = timestampOf(nowMs)
  const session = { id: newId(), zoneId: zone.id, ...wanted, createdOn: now, listenedOn: now }
  // Ended sessions are deleted now; any other session belongs to another process.
  await store.instant.insert(session, auditEntry(request, changeOf(session, 'create')), { before: [] })
  return session
}

/** The audit trail has only the beginning of the id, because the id lets its readers listen. */
function changeOf(
  { id, fields, filter, sample }: InstantSession,
  action: 'create' | 'delete',
): AuditedChange {
  const resource = { kind: 'instant_logs_session', id: id.slice(0, 8) }
  const settings = { fields, filter, sample }
  return action === 'create'
    ? { action, resource, before: null, after: settings }
    : { action, resource, before: settings, after: null }
}

function sessionToWire(session: InstantSession, request: FastifyRequest): Wire<typeof sessionSchema> {
  const { id, fields, filter, sample } = session
  const scheme = request.protocol === 'https' ? 'wss' : 'ws'
  return {
    session_id: id,
    destination_conf: `${scheme}://${request.host}/instant-logs/ws/sessions/${id}`,
    kind,
    fields,
    filter,
    sample,
  }
}
