import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { timestampOf } from '../../kit/clock.ts'
import { zoneSettingTable } from '../../model/zone-setting-table/index.ts'
import type { StoredZoneSetting } from '../../model/zone-settings.ts'
import { auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, zoneOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { optional, strict } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import {
  type CheckedSetting,
  checkedSetting,
  mergedValue,
  settingOf,
  settingsOf,
  type ZoneSetting,
  zoneSettingSchema,
} from './setting-values.ts'

const settingId = Type.String({ maxLength: 100 })
const written = { value: optional(Type.Unknown()), enabled: optional(Type.Boolean()) }
const oneBody = Type.Object(written, strict)
const severalBody = Type.Object(
  { items: Type.Array(Type.Object({ id: settingId, ...written }, strict), { minItems: 1, maxItems: 100 }) },
  strict,
)

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
export function zoneSettingRoutes(app: Api, { store, clock, notEnforced }: ApiDeps): void {
  const writes = new KeyedQueue()

  app.get('/settings', { config: described.list }, async request => {
    const zone = zoneOf(request)
    const stored = await store.zoneSettings.list(zone.id)
    return success([...settingsOf(zone, stored, clock.nowMs()).values()])
  })

  app.get<SettingPath>('/settings/:setting_id', { config: described.get }, async request => {
    const settingId = known(request.params.setting_id)
    const zone = zoneOf(request)
    const stored = await store.zoneSettings.list(zone.id)
    return success(settingsOf(zone, stored, clock.nowMs()).get(settingId))
  })

  const editOne = { config: described.edit, schema: { body: oneBody } }
  app.patch('/settings/:setting_id', editOne, async request => {
    const settingId = known((request.params as SettingPath['Params']).setting_id)
    const checked = checkedSetting(settingId, request.body, '', notEnforced)
    const [after] = await write(request, settingId, [checked])
    return success(after, notesOf([checked]))
  })

  /** Checks all settings before it writes one. */
  app.patch('/settings', { config: described.editSeveral, schema: { body: severalBody } }, async request => {
    const checked = request.body.items.map(({ id, ...written }, at) =>
      checkedSetting(known(id, `/items/${at}/id`), written, `/items/${at}`, notEnforced),
    )
    return success(await write(request, zoneOf(request).id, checked), notesOf(checked))
  })

  /** @param resourceId in the audit trail: the setting, or the zone for several */
  function write(
    request: FastifyRequest,
    resourceId: string,
    checked: readonly CheckedSetting[],
  ): Promise<ZoneSetting[]> {
    const zone = zoneOf(request)
    const nowMs = clock.nowMs()
    return writes.write(zone.id, async () => {
      const stored = await store.zoneSettings.list(zone.id)
      const settings = changedSettings(stored, checked, timestampOf(nowMs))
      const after = settings.map(one => settingOf(zone, one.id, one, nowMs))
      const present = settingsOf(zone, stored, nowMs)
      const before = after.map(({ id }) => present.get(id))
      const audited = after.map(one => ({ ...one, ...auditedNote(checked, one.id) }))
      const isOne = resourceId !== zone.id
      const audit = auditEntry(request, {
        action: 'update',
        resource: { kind: 'zone_setting', id: resourceId },
        before: isOne ? before[0] : before,
        after: isOne ? audited[0] : audited,
      })
      await store.zoneSettings.put(zone.id, settings, audit, { before: stored })
      return after
    })
  }
}

/** The last value of each setting that is written. */
function changedSettings(
  stored: readonly StoredZoneSetting[],
  checked: readonly CheckedSetting[],
  modifiedOn: string,
): readonly StoredZoneSetting[] {
  const values = new Map(stored.map(({ id, value }) => [id, value]))
  for (const { id, value } of checked) values.set(id, mergedValue(values.get(id), value))
  const written = new Set(checked.map(({ id }) => id))
  return Array.from(written, id => ({ id, value: values.get(id)!, modifiedOn }))
}

/** @throws ApiError 400 for the name of no setting */
function known(settingId: string, pointer?: string): string {
  if (zoneSettingTable.has(settingId)) return settingId
  throw refusal('zoneSettingUnknown', { id: settingId.slice(0, 100) }, pointer)
}

function notesOf(checked: readonly CheckedSetting[]) {
  return checked.flatMap(({ note }) => (note === undefined ? [] : [note]))
}

/** The audit trail says what does not act. */
function auditedNote(checked: readonly CheckedSetting[], id: string): object {
  const notes = notesOf(checked.filter(one => one.id === id))
  return notes.length === 0 ? {} : { not_enforced: notes.map(({ message }) => message) }
}
