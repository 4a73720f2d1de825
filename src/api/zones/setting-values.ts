import { Type } from '@fastify/type-provider-typebox'
import type { Json, NotEnforced, Zone } from '../../model/resource.ts'
import { faultIn, inWords, isObject, zoneSettingTable } from '../../model/zone-setting-table/index.ts'
import { type StoredZoneSetting, sslModeOf } from '../../model/zone-settings.ts'
import type { Message } from '../http/envelope.ts'
import { apiErrors, refusal } from '../http/errors.ts'
import { nullable, optional, time, type Wire } from '../http/schemas.ts'
import { zoneSettingRequestLimits } from './limits.ts'

export const zoneSettingSchema = Type.Object({
  id: Type.String(),
  value: optional(Type.Unknown({ description: 'docs/reference/zones.md lists the values' })),
  enabled: optional(Type.Boolean({ description: 'in place of `value`, where `enabled` was written' })),
  editable: Type.Boolean(),
  modified_on: nullable(time),
  time_remaining: optional(
    Type.Integer({ description: 'development_mode: seconds until it ends, negative after its end' }),
  ),
})

export type ZoneSetting = Wire<typeof zoneSettingSchema>

const shownCharacters = 200

/** The part of a request that is written: `value`, or `enabled` for the setting whose documentation has that instead. */
export interface WrittenValue {
  readonly value?: unknown
  readonly enabled?: boolean | undefined
}

/** A checked value, to be stored. */
export interface CheckedSetting {
  readonly id: string
  readonly value: Json
  /** The reason why it does not act here, or acts in part. */
  readonly note: Message | undefined
}

/** The setting whose state Cloudflare's API calls `enabled`. Its provider for Terraform also writes `value`. */
const settingWithEnabled = 'ssl_recommender'

/**
 * Checks the value. One that does not act is refused, or kept with a message.
 * @param pointer of the object with the value
 * @throws ApiError 400
 */
export function checkedSetting(
  id: string,
  written: WrittenValue,
  pointer: string,
  notEnforced: NotEnforced,
): CheckedSetting {
  const named = written.enabled !== undefined && id === settingWithEnabled ? 'enabled' : 'value'
  const at = `${pointer}/${named}`
  if (written[named] === undefined) throw refusal('missingField', { field: named }, at)
  const value = named === 'enabled' ? onOff(written.enabled!) : (written.value as Json)
  const { shape } = zoneSettingTable.get(id)!
  const fault = faultIn(shape, value)
  if (fault !== undefined) throw refusal('zoneSettingValue', { id, values: inWords(shape) }, `${at}${fault}`)
  const note = noteOn(id, value, at, notEnforced)
  return { id, value: written[named] as Json, note }
}

function noteOn(id: string, value: Json, pointer: string, notEnforced: NotEnforced): Message | undefined {
  const enforcement = zoneSettingTable.get(id)!.enforcementOf(value)
  if (enforcement.status === 'enforced') return undefined
  const setting = `${id} ${JSON.stringify(value).slice(0, shownCharacters)}`
  const { code } = apiErrors.zoneSettingNotEnforced
  if (enforcement.status === 'partly')
    return { code, message: `partly enforced here: ${setting}: ${enforcement.how}`, type: null }
  const { why } = enforcement
  if (notEnforced === 'refuse') throw refusal('zoneSettingNotEnforced', { setting, why }, pointer)
  return { code, message: `not enforced here: ${setting}: ${why}`, type: null }
}

/** A value replaces the stored one. Members of an object replace those of the same name: Terraform sends only changed ones. */
export function mergedValue(stored: Json | undefined, written: Json): Json {
  if (!isObject(stored) || !isObject(written)) return written
  const members = Object.entries(written).map(([name, member]) => [name, mergedValue(stored[name], member)])
  return { ...stored, ...Object.fromEntries(members) }
}

/** Every setting of the zone, by its name. @param nowMs of the answer */
export function settingsOf(
  zone: Zone,
  stored: readonly StoredZoneSetting[],
  nowMs: number,
): ReadonlyMap<string, ZoneSetting> {
  const byId = new Map(stored.map(one => [one.id, one]))
  return new Map([...zoneSettingTable.keys()].map(id => [id, settingOf(zone, id, byId.get(id), nowMs)]))
}

export function settingOf(
  { originUrl }: Zone,
  id: string,
  stored: Omit<StoredZoneSetting, 'id'> | undefined,
  nowMs: number,
): ZoneSetting {
  const byDefault = id === 'ssl' ? sslModeOf(originUrl) : zoneSettingTable.get(id)!.default
  const value = stored?.value ?? byDefault
  const shared = { id, editable: true, modified_on: stored?.modifiedOn ?? null }
  if (id === settingWithEnabled && typeof value === 'boolean') return { ...shared, enabled: value }
  if (id !== 'development_mode') return { ...shared, value }
  const remaining = developmentModeRemaining(value, stored?.modifiedOn, nowMs)
  return { ...shared, value: onOff(remaining > 0), time_remaining: remaining }
}

/** Seconds: below 0 when it ended by itself, 0 when it was switched off or never on. */
function developmentModeRemaining(value: Json, modifiedOn: string | undefined, nowMs: number): number {
  if (value !== 'on' || modifiedOn === undefined) return 0
  return zoneSettingRequestLimits.developmentModeSeconds - Math.floor((nowMs - Date.parse(modifiedOn)) / 1000)
}

function onOff(isOn: boolean): 'on' | 'off' {
  return isOn ? 'on' : 'off'
}
