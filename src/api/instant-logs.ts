import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { timestampOf } from '../kit/clock.ts'
import { newId } from '../kit/ids.ts'
import { instantLimits } from '../kit/limits.ts'
import { checkInstantSession, instantSessionEnd } from '../logpush/index.ts'
import type { InstantSession, Zone } from '../model/resource.ts'
import { auditEntry } from './audit.ts'
import { type Api, zoneOf } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { success } from './envelope.ts'
import { accepted, refusal } from './errors.ts'
import { Turns } from './turns.ts'

const kind = 'instant-logs'

/** What the values mean is checked by the logpush room. */
const body = Type.Object(
  {
    fields: Type.Optional(
      Type.String({
        maxLength: instantLimits.fieldsCharactersMax,
        description: 'Names with commas between them',
      }),
    ),
    filter: Type.Optional(Type.String({ maxLength: 4096 })),
    sample: Type.Optional(Type.Number({ description: 'One in so many records; 1 is every record' })),
    kind: Type.Optional(Type.Enum(['', kind])),
  },
  { additionalProperties: false },
)

/** Where the documents of several years have it. */
const paths = ['/logpush/edge/jobs', '/logpush/edge'] as const

/**
 * Sessions to look at a zone's records as they come. Who knows the address of one may listen to it.
 * @source Cloudflare, "Instant Logs"
 */
export function instantLogsRoutes(app: Api, deps: ApiDeps): void {
  const { store, clock } = deps
  const turns = new Turns()

  for (const path of paths) {
    app.get(path, async request => {
      const nowMs = clock.nowMs()
      const sessions = await store.instant.list(zoneOf(request).id)
      return success(
        sessions
          .filter(session => instantSessionEnd(session, nowMs) === undefined)
          .map(session => sessionToWire(session, request)),
      )
    })

    app.post(path, { schema: { body } }, async request => {
      const zone = zoneOf(request)
      const { kind: _, ...wish } = request.body
      const wanted = accepted(checkInstantSession(wish))
      const session = await turns.run(zone.id, () => create(zone, wanted, request, deps))
      return success(sessionToWire(session, request))
    })
  }

  /** Sluice's own: for who wants other lines now. Listeners to it are told within a minute. */
  app.delete(paths[0], async request => {
    const zone = zoneOf(request)
    await turns.run(zone.id, async () => {
      for (const { id } of await store.instant.list(zone.id)) await store.instant.delete(id)
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
    await store.instant.delete(present.id)
  }
  const now = timestampOf(nowMs)
  const session = { id: newId(), zoneId: zone.id, ...wanted, createdOn: now, listenedOn: now }
  const audited = auditEntry(request, {
    action: 'create',
    // Whoever reads the trail shall not be able to listen.
    resource: { kind: 'instant_logs_session', id: session.id.slice(0, 8) },
    before: null,
    after: wanted,
  })
  await store.instant.insert(session, audited)
  return session
}

function sessionToWire(session: InstantSession, request: FastifyRequest): object {
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
