import { actingSettings, ownSettings } from './acting.ts'
import type { ZoneSettingDeclaration } from './declaration.ts'
import { idleSettings } from './idle.ts'

export type { Enforcement } from './declaration.ts'
export { faultIn, inWords, isObject, type ValueShape } from './shapes.ts'

/** Every setting of a zone by its name, in the order of names: its values, its default, and what its values do here. */
export const zoneSettingTable: ReadonlyMap<string, ZoneSettingDeclaration> = new Map(
  Object.entries({ ...actingSettings, ...ownSettings, ...idleSettings }).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  ),
)
