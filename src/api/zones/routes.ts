import { type Static, Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { timestampOf } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import { type AuditEntry, type Zone, zoneTypes } from '../../model/resource.ts'
import { StoreError } from '../../store/port/error.ts'
import { auditEntry } from '../access/audit/entry.ts'
import { credentialsOf } from '../access/auth.ts'
import { authorize, newZoneResource, zoneResource } from '../access/permissions/check.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, requireZone, zoneOf } from '../http/context.ts'
import { page, success } from '../http/envelope.ts'
import { notRouted, refusal } from '../http/errors.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { apiLimits } from '../http/limits.ts'
import { idSchema, nullable, strict, type Wire } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import { domainName, originUrl } from './input.ts'
import { selectZones, zoneListQuery } from './list.ts'
import { originBounds } from './origin-address.ts'
import { zoneSchema, zoneToWire } from './wire.ts'

/** The URL is null, as in answers, for a zone without an origin. */
const origin = Type.Object({ url: nullable(Type.String({ minLength: 1, maxLength: 2048 })) }, strict)
const type = Type.Optional(Type.Enum([...zoneTypes]))
/** Names of the zone's own for its name servers. Only an empty list has a meaning here. */
const vanity_name_servers = Type.Optional(Type.Array(Type.String({ maxLength: 253 }), { maxItems: 10 }))

const createBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 253 }),
    account: Type.Optional(Type.Object({ id: Type.String() }, strict)),
    organization: Type.Optional(
      Type.Object({ id: Type.String() }, { description: 'older name of `account`, in clients of version 0' }),
    ),
    type,
    paused: Type.Optional(Type.Boolean()),
    jump_start: Type.Optional(Type.Boolean({ description: 'without effect: no DNS records are looked up' })),
    vanity_name_servers,
    origin: Type.Optional(origin),
  },
  strict,
)

const editBody = Type.Object(
  { paused: Type.Optional(Type.Boolean()), type, vanity_name_servers, origin: Type.Optional(origin) },
  strict,
)

const operation = operationsOf('Zones')
const described = {
  list: operation('listZones', 'List the zones that the credentials may read', 'known', {
    result: Type.Array(zoneSchema),
  }),
  create: operation('createZone', 'Create a zone; needs Zone Write on all zones of the account', 'known', {
    result: zoneSchema,
  }),
  get: operation('getZone', 'Get a zone', ['zone', 'read'], { result: zoneSchema }),
  edit: operation('editZone', 'Change a zone', ['zone', 'write'], { result: zoneSchema }),
  delete: operation('deleteZone', 'Delete a zone with its rulesets and jobs', ['zone', 'write'], {
    result: idSchema,
  }),
}

export function zoneRoutes(app: Api, deps: ApiDeps): void {
  const { store, clock } = deps
  const writes = new KeyedQueue()

  /** @throws ApiError 400 */
  function originFrom(input: Static<typeof origin> | undefined): string | undefined {
    return input?.url == null ? undefined : originUrl(input.url, originBounds(deps))
  }

  async function show(zone: Zone): Promise<Wire<typeof zoneSchema>> {
    const account = await store.accounts.get(zone.accountId)
    return zoneToWire(zone, account ?? { id: zone.accountId, name: '' })
  }

  app.get('/zones', { config: described.list, schema: { querystring: zoneListQuery } }, async request => {
    const { query } = request
    const { rights } = credentialsOf(request)
    const accounts = new Map((await store.accounts.list()).map(account => [account.id, account]))
    const readable = (await store.zones.list()).filter(zone => rights.may('zone', 'read', zoneResource(zone)))
    const zones = selectZones(readable, accounts, query)
    return page(zones, query.page ?? 1, query.per_page ?? apiLimits.perPageDefault, zone =>
      zoneToWire(zone, accounts.get(zone.accountId) ?? { id: zone.accountId, name: '' }),
    )
  })

  app.post('/zones', { config: described.create, schema: { body: createBody } }, async request => {
    const { body } = request
    refuseNameServers(body.vanity_name_servers)
    const [member, named] =
      body.account === undefined
        ? (['organization', body.organization] as const)
        : (['account', body.account] as const)
    if (named === undefined) throw refusal('missingField', { field: 'account' }, '/account')
    const account = await store.accounts.get(named.id)
    if (account === undefined) throw refusal('noAccess', {}, `/${member}/id`)
    authorize(request, { area: 'zone', level: 'write', resource: newZoneResource(account.id) })
    const now = timestampOf(clock.nowMs())
    const zone: Zone = {
      id: newId(),
      accountId: account.id,
      name: domainName(body.name),
      originUrl: originFrom(body.origin),
      paused: body.paused ?? false,
      type: body.type ?? 'full',
      createdOn: now,
      modifiedOn: now,
    }
    if ((await store.zones.byName(zone.name)) !== undefined) throw zoneExists(zone)
    const entry = auditEntry(request, {
      action: 'create',
      resource: { kind: 'zone', id: zone.id },
      before: null,
      after: zoneToWire(zone, account),
      accountId: account.id,
      zoneId: zone.id,
    })
    await store.zones.insert(zone, entry).catch(error => {
      throw error instanceof StoreError && error.code === 'conflict' ? zoneExists(zone) : error
    })
    return success(zoneToWire(zone, account))
  })

  const onRequest = requireZone(store)

  app.get('/zones/:zone_id', { config: described.get, onRequest }, async request =>
    success(await show(zoneOf(request))),
  )

  const edit = { config: described.edit, onRequest, schema: { body: editBody } }
  app.patch('/zones/:zone_id', edit, async request => {
    const { paused, type, origin } = request.body
    refuseNameServers(request.body.vanity_name_servers)
    const wantedOrigin = originFrom(origin)
    const { id } = zoneOf(request)
    return writes.write(id, async () => {
      const zone = await store.zones.get(id)
      if (zone === undefined) throw notRouted(request.url)
      const edited = {
        ...zone,
        paused: paused ?? zone.paused,
        type: type ?? zone.type,
        originUrl: origin === undefined ? zone.originUrl : wantedOrigin,
        modifiedOn: timestampOf(clock.nowMs()),
      }
      const after = await show(edited)
      await store.zones.update(edited, await changeOf(request, 'update', zone, after))
      return success(after)
    })
  })

  app.delete('/zones/:zone_id', { config: described.delete, onRequest }, async request => {
    const { id } = zoneOf(request)
    return writes.write(id, async () => {
      const zone = await store.zones.get(id)
      if (zone === undefined) throw notRouted(request.url)
      await store.zones.delete(id, await changeOf(request, 'delete', zone, null), zone.revision)
      return success({ id })
    })
  })

  async function changeOf(
    request: FastifyRequest,
    action: 'update' | 'delete',
    zone: Zone,
    after: object | null,
  ): Promise<AuditEntry> {
    return auditEntry(request, {
      action,
      resource: { kind: 'zone', id: zone.id },
      before: await show(zone),
      after,
    })
  }
}

/** @throws ApiError 400 */
function refuseNameServers(names: readonly string[] = []): void {
  if (names.length === 0) return
  const reason = 'Sluice answers no DNS queries; remove vanity_name_servers, or make it empty'
  throw refusal(
    'badValue',
    { value: names.join(', ').slice(0, 100), field: 'vanity_name_servers', reason },
    '/vanity_name_servers',
  )
}

function zoneExists(zone: Zone): Error {
  return refusal('zoneExists', { name: zone.name }, '/name')
}
