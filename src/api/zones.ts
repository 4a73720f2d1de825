import { Type } from '@fastify/type-provider-typebox'
import { timestampOf } from '../kit/clock.ts'
import { newId } from '../kit/ids.ts'
import { apiLimits } from '../kit/limits.ts'
import type { Zone } from '../model/resource.ts'
import { StoreError } from '../store/port.ts'
import { type Api, requireZone, zoneOf } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { page, success } from './envelope.ts'
import { notRouted, refusal } from './errors.ts'
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

  app.get('/zones', { schema: { querystring: zoneListQuery } }, async ({ query }) => {
    const accounts = new Map((await store.accounts.list()).map(account => [account.id, account]))
    const zones = selectZones(await store.zones.list(), accounts, query)
    return page(zones, query.page ?? 1, query.per_page ?? apiLimits.perPageDefault, zone =>
      zoneToWire(zone, accounts.get(zone.accountId) ?? { id: zone.accountId, name: '' }),
    )
  })

  app.post('/zones', { schema: { body: createBody } }, async ({ body }) => {
    const account = await store.accounts.get(body.account.id)
    if (account === undefined) throw refusal('noAccess', {}, '/account/id')
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
    await store.zones.insert(zone).catch(error => {
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
    await store.zones.update(edited)
    return success(await show(edited))
  })

  app.delete('/zones/:zone_id', existing, async request => {
    const { id } = zoneOf(request)
    if (!(await store.zones.delete(id))) throw notRouted(request.url)
    return success({ id })
  })
}

function zoneExists(zone: Zone): Error {
  return refusal('zoneExists', { name: zone.name }, '/name')
}
