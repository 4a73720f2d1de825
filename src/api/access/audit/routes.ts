import { Type } from '@fastify/type-provider-typebox'
import type { AuditEntry } from '../../../model/resource.ts'
import type { Store } from '../../../store/port.ts'
import type { ApiDeps } from '../../deps.ts'
import { type Api, accountOf } from '../../http/context.ts'
import { success } from '../../http/envelope.ts'
import { readTime } from '../../http/list-query.ts'
import { id, json, optional, text, time, type Wire } from '../../http/schemas.ts'
import { operationsOf } from '../../openapi/operation.ts'
import { accessLimits } from '../limits.ts'

const moment = Type.String({ maxLength: 40 })
const query = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: accessLimits.auditPerPageMax })),
  direction: Type.Optional(Type.Enum(['asc', 'desc'])),
  id: Type.Optional(Type.String({ maxLength: 64 })),
  since: Type.Optional(moment),
  before: Type.Optional(moment),
  'zone.name': Type.Optional(Type.String({ maxLength: 253 })),
  'resource.type': Type.Optional(Type.String({ maxLength: 32 })),
  'actor.id': Type.Optional(Type.String({ maxLength: 64 })),
  'actor.email': Type.Optional(Type.String({ maxLength: 320 })),
  'actor.ip': Type.Optional(Type.String({ maxLength: 45 })),
  'action.type': Type.Optional(Type.String({ maxLength: 32 })),
})

export const auditLogSchema = Type.Object({
  id,
  when: time,
  action: Type.Object({ type: text, result: Type.Boolean() }),
  actor: Type.Object({ id: text, email: optional(text), ip: text, type: text }),
  interface: text,
  metadata: Type.Object({}),
  owner: Type.Object({ id }),
  resource: Type.Object({ id: text, type: text }),
  oldValue: text,
  oldValueJson: json,
  newValue: text,
  newValueJson: json,
})

const described = operationsOf('Audit')('listAuditLogs', 'List changes, newest first', ['account', 'read'], {
  result: Type.Array(auditLogSchema),
})

/**
 * The audit trail of an account, newest entry first.
 * @source Cloudflare API, audit logs (version 1); a page past the end is empty. Filters by resource.type and actor.id
 * are Sluice's own.
 */
export function auditLogRoutes(app: Api, { store }: ApiDeps): void {
  app.get('/audit_logs', { config: described, schema: { querystring: query } }, async request => {
    const {
      page = 1,
      per_page: size = accessLimits.auditPerPageDefault,
      direction,
      id: entryId,
      ...filters
    } = request.query
    const since = filters.since === undefined ? undefined : readTime(filters.since, 'since')
    const before = filters.before === undefined ? undefined : readTime(filters.before, 'before')
    const zoneName = filters['zone.name']?.toLowerCase()
    const zoneId = zoneName === undefined ? undefined : (await store.zones.byName(zoneName))?.id
    if (zoneName !== undefined && zoneId === undefined)
      return { ...success([]), result_info: { page, per_page: size } }
    const entries = await store.audit.list(accountOf(request).id, {
      offset: (page - 1) * size,
      limit: size,
      ...(direction === undefined ? {} : { direction }),
      ...(entryId === undefined ? {} : { id: entryId }),
      ...(since === undefined ? {} : { since }),
      ...(before === undefined ? {} : { before }),
      ...(zoneId === undefined ? {} : { zoneId }),
      ...named('action', filters['action.type']),
      ...named('resourceKind', filters['resource.type']),
      ...named('actorId', filters['actor.id']),
      ...named('actorEmail', filters['actor.email']?.toLowerCase()),
      ...named('actorIp', filters['actor.ip']),
    })
    const zones = await zoneNames(store, entries)
    return {
      ...success(entries.map(entry => entryToWire(entry, zones))),
      result_info: { page, per_page: size, count: entries.length },
    }
  })
}

/** Names of the zones of the entries; deleted zones have none. */
async function zoneNames(store: Store, entries: readonly AuditEntry[]): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(entries.flatMap(({ zoneId }) => (zoneId === undefined ? [] : [zoneId])))
  const zones = await Promise.all([...ids].map(id => store.zones.get(id)))
  return new Map(zones.flatMap(zone => (zone === undefined ? [] : [[zone.id, zone.name] as const])))
}

function named<K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: string }
}

function entryToWire(entry: AuditEntry, zones: ReadonlyMap<string, string>): Wire<typeof auditLogSchema> {
  const { actor, zoneId, before, after } = entry
  const zoneName = zoneId === undefined ? undefined : zones.get(zoneId)
  return {
    id: entry.id,
    when: entry.at,
    action: { type: entry.action, result: true },
    actor: {
      id: actor.id,
      ...(actor.email === undefined ? {} : { email: actor.email }),
      ip: actor.ip,
      type: actor.kind === 'system' ? 'Cloudflare' : 'user',
    },
    interface: actor.kind === 'system' ? entry.method : 'API',
    metadata: {
      method: entry.method,
      path: entry.path,
      ...(actor.kind === 'token' ? { token_id: actor.id } : {}),
      ...(zoneId === undefined ? {} : { zone_id: zoneId }),
      ...(zoneName === undefined ? {} : { zone_name: zoneName }),
    },
    owner: { id: entry.accountId },
    resource: { id: entry.resource.id, type: entry.resource.kind },
    oldValue: before === null ? '' : JSON.stringify(before),
    oldValueJson: before,
    newValue: after === null ? '' : JSON.stringify(after),
    newValueJson: after,
  }
}
