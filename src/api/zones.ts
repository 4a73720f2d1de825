import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { timestampOf } from '../kit/clock.ts'
import { newId } from '../kit/ids.ts'
import { apiLimits } from '../kit/limits.ts'
import type { AuditEntry, Zone } from '../model/resource.ts'
import { StoreError } from '../store/port.ts'
import { auditEntry } from './audit.ts'
import { credentialsOf } from './auth.ts'
import { type Api, requireZone, zoneOf } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { page, success } from './envelope.ts'
import { notRouted, refusal } from './errors.ts'
import { authorize, newZonePlace, zonePlace } from './permissions-check.ts'
import { domainName, originUrl } from './zone-input.ts'
import { selectZones, zoneListQuery } from './zone-list.ts'
import { zoneToWire } from './zone-wire.ts'

const strict = { additionalProperties: false }
const origin = Type.Object({ url: Type.String({ minLength: 1, maxLength: 2048 }) }, strict)
/** Zones are always `full` here; clients that send the type may. */
const type = Type.Optional(Type.Enum(['full']))

const createBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 253 }),
    account: Type.Object({ id: Type.String() }, strict),
    type,
    origin,
  },
  strict,
)

const editBody = Type.Object(
  { paused: Type.Optional(Type.Boolean()), type, origin: Type.Optional(origin) },
  strict,
)

export function zoneRoutes(app: Api, { store, clock }: ApiDeps): void {
  async function show(zone: Zone): Promise<object> {
    const account = await store.accounts.get(zone.accountId)
    return zoneToWire(zone, account ?? { id: zone.accountId, name: '' })
  }

  app.get('/zones', { schema: { querystring: zoneListQuery } }, async request => {
    const { query } = request
    const { rights } = credentialsOf(request)
    const accounts = new Map((await store.accounts.list()).map(account => [account.id, account]))
    const readable = (await store.zones.list()).filter(zone => rights.may('zone', 'read', zonePlace(zone)))
    const zones = selectZones(readable, accounts, query)
    return page(zones, query.page ?? 1, query.per_page ?? apiLimits.perPageDefault, zone =>
      zoneToWire(zone, accounts.get(zone.accountId) ?? { id: zone.accountId, name: '' }),
    )
  })

  app.post('/zones', { schema: { body: createBody } }, async request => {
    const { body } = request
    const account = await store.accounts.get(body.account.id)
    if (account === undefined) throw refusal('noAccess', {}, '/account/id')
    authorize(request, { area: 'zone', level: 'write', place: newZonePlace(account.id) })
    const now = timestampOf(clock.nowMs())
    const zone: Zone = {
      id: newId(),
      accountId: account.id,
      name: domainName(body.name),
      originUrl: originUrl(body.origin.url),
      paused: false,
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

  const existing = { onRequest: requireZone(store) }

  app.get('/zones/:zone_id', existing, async request => success(await show(zoneOf(request))))

  app.patch('/zones/:zone_id', { ...existing, schema: { body: editBody } }, async request => {
    const { paused, origin } = request.body
    const zone = zoneOf(request)
    const edited: Zone = {
      ...zone,
      paused: paused ?? zone.paused,
      originUrl: origin === undefined ? zone.originUrl : originUrl(origin.url),
      modifiedOn: timestampOf(clock.nowMs()),
    }
    const after = await show(edited)
    await store.zones.update(edited, await changeOf(request, 'update', zone, after))
    return success(after)
  })

  app.delete('/zones/:zone_id', existing, async request => {
    const zone = zoneOf(request)
    const entry = await changeOf(request, 'delete', zone, null)
    if (!(await store.zones.delete(zone.id, entry))) throw notRouted(request.url)
    return success({ id: zone.id })
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

function zoneExists(zone: Zone): Error {
  return refusal('zoneExists', { name: zone.name }, '/name')
}
