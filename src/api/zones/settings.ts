import { Type } from '@fastify/type-provider-typebox'
import { timestampOf } from '../../kit/clock.ts'
import type { Zone } from '../../model/resource.ts'
import {
  originConnectSeconds,
  type StoredZoneSetting,
  sslModeOf,
  uploadMegabytesMax,
} from '../../model/zone-settings.ts'
import { auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, zoneOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { ApiError, entry, refusal } from '../http/errors.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { nullable, strict, time, type Wire } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'

/** A whole number. */
interface NumberRange {
  readonly min: number
  readonly max: number
  readonly default: number
  /** Its digits as text are accepted too, and returned as they were sent. */
  readonly text?: true
}

/**
 * Values of each setting, with the default first unless `defaultOf` decides, or its range; docs/reference/zones.md describes
 * them.
 */
const values: { readonly [id: string]: readonly string[] | NumberRange } = {
  always_use_https: ['off', 'on'],
  grpc: ['off', 'on'],
  http2: ['on', 'off'],
  ip_geolocation: ['on', 'off'],
  max_upload: { min: 1, max: uploadMegabytesMax, default: uploadMegabytesMax },
  min_tls_version: ['1.0', '1.1', '1.2', '1.3'],
  on_error: ['default', 'block', 'allow'],
  origin_max_http_version: ['2', '1'],
  proxy_connect_timeout: { min: 1, max: 60, default: originConnectSeconds, text: true },
  // The API of Cloudflare documents a number, but answers with text.
  proxy_read_timeout: { min: 1, max: 6000, default: 100, text: true },
  ssl: ['off', 'flexible', 'full', 'strict'],
  tls_1_3: ['on', 'off', 'zrt'],
  waf_body_limit_action: ['process_partial', 'reject'],
}
const ids = Object.keys(values)

const settingId = Type.String({ maxLength: 100 })
const oneBody = Type.Object({ value: Type.Unknown() }, strict)
const severalBody = Type.Object(
  {
    items: Type.Array(Type.Object({ id: settingId, value: Type.Unknown() }, strict), {
      minItems: 1,
      maxItems: 100,
    }),
  },
  strict,
)

export const zoneSettingSchema = Type.Object({
  id: Type.String(),
  value: Type.Unknown({ description: 'docs/reference/zones.md lists the values' }),
  editable: Type.Boolean(),
  modified_on: nullable(time),
})

const operation = operationsOf('Zone settings')
const described = {
  list: operation('listZoneSettings', 'List the zone’s settings', ['zoneSettings', 'read'], {
    result: Type.Array(zoneSettingSchema),
  }),
  get: operation('getZoneSetting', 'Get a setting of the zone', ['zoneSettings', 'read'], {
    result: zoneSettingSchema,
  }),
  edit: operation('editZoneSetting', 'Change a setting of the zone', ['zoneSettings', 'write'], {
    result: zoneSettingSchema,
    example: { value: 'reject' },
  }),
  editSeveral: operation(
    'editZoneSettings',
    'Change several settings in one transaction',
    ['zoneSettings', 'write'],
    { result: Type.Array(zoneSettingSchema), example: { items: [{ id: 'ip_geolocation', value: 'off' }] } },
  ),
}

interface SettingPath {
  Params: { readonly setting_id: string }
}

/** @source Cloudflare API, zone settings */
export function zoneSettingRoutes(app: Api, { store, clock }: ApiDeps): void {
  const writes = new KeyedQueue()
  const known = (settingId: string): string => {
    if (Object.hasOwn(values, settingId)) return settingId
    throw refusal('zoneSettingUnknown', { id: settingId.slice(0, 100) })
  }

  app.get('/settings', { config: described.list }, async request =>
    success([...itemsIn(zoneOf(request), await store.zoneSettings.list(zoneOf(request).id)).values()]),
  )

  app.get<SettingPath>('/settings/:setting_id', { config: described.get }, async request => {
    const settingId = known(request.params.setting_id)
    const zone = zoneOf(request)
    return success(itemsIn(zone, await store.zoneSettings.list(zone.id)).get(settingId))
  })

  const editOne = { config: described.edit, schema: { body: oneBody } }
  app.patch('/settings/:setting_id', editOne, async request => {
    const settingId = known((request.params as SettingPath['Params']).setting_id)
    const { value } = request.body
    const zone = zoneOf(request)
    const setting = { id: settingId, value: checkedValue(settingId, value, '/value'), modifiedOn: now() }
    const after = itemOf(zone, settingId, setting)
    return writes.write(zone.id, async () => {
      const stored = await store.zoneSettings.list(zone.id)
      const audit = auditEntry(request, {
        action: 'update',
        resource: { kind: 'zone_setting', id: settingId },
        before: itemsIn(zone, stored).get(settingId),
        after,
      })
      await store.zoneSettings.put(zone.id, [setting], audit, { before: stored })
      return success(after)
    })
  })

  /** Checks all settings before it writes one. */
  app.patch('/settings', { config: described.editSeveral, schema: { body: severalBody } }, async request => {
    const zone = zoneOf(request)
    const settings = request.body.items.map(({ id: settingId, value }, at) => {
      if (!Object.hasOwn(values, settingId))
        throw refusal('zoneSettingUnknown', { id: settingId }, `/items/${at}/id`)
      return { id: settingId, value: checkedValue(settingId, value, `/items/${at}/value`), modifiedOn: now() }
    })
    const after = new Map(settings.map(one => [one.id, itemOf(zone, one.id, one)]))
    return writes.write(zone.id, async () => {
      const stored = await store.zoneSettings.list(zone.id)
      const before = itemsIn(zone, stored)
      const audit = auditEntry(request, {
        action: 'update',
        resource: { kind: 'zone_setting', id: zone.id },
        before: [...after.keys()].map(one => before.get(one)),
        after: [...after.values()],
      })
      await store.zoneSettings.put(zone.id, settings, audit, { before: stored })
      return success([...after.values()])
    })
  })

  function now(): string {
    return timestampOf(clock.nowMs())
  }
}

function checkedValue(settingId: string, value: unknown, pointer: string): string | number {
  const allowed = values[settingId]!
  if ('min' in allowed) {
    const { min, max, text } = allowed
    const number = text && typeof value === 'string' && /^[1-9]\d{0,3}$/.test(value) ? Number(value) : value
    if (Number.isSafeInteger(number) && Number(number) >= min && Number(number) <= max)
      return value as number | string
  } else if (typeof value === 'string' && allowed.includes(value)) return value
  throw new ApiError(400, [entry('zoneSettingValue', { id: settingId, values: inWords(allowed) }, pointer)])
}

function inWords(allowed: readonly string[] | NumberRange): string {
  if ('min' in allowed) return `a whole number from ${allowed.min} to ${allowed.max}`
  return allowed.map(one => `"${one}"`).join(' or ')
}

/** Every setting, by its id. */
function itemsIn(zone: Zone, stored: readonly StoredZoneSetting[]): ReadonlyMap<string, ZoneSetting> {
  const values = new Map(stored.map(one => [one.id, one]))
  return new Map(ids.map(one => [one, itemOf(zone, one, values.get(one))]))
}

type ZoneSetting = Wire<typeof zoneSettingSchema>

function itemOf(zone: Zone, settingId: string, stored: StoredZoneSetting | undefined): ZoneSetting {
  return {
    id: settingId,
    value: stored?.value ?? defaultOf(zone, settingId),
    editable: true,
    modified_on: stored?.modifiedOn ?? null,
  }
}

function defaultOf({ originUrl }: Zone, settingId: string): string | number {
  if (settingId === 'ssl') return sslModeOf(originUrl)
  const allowed = values[settingId]!
  return 'min' in allowed ? allowed.default : allowed[0]!
}
