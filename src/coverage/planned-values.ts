import type { Json, JsonObject } from '../model/resource.ts'
import type { Unsupported } from '../model/unsupported.ts'
import { isObject } from '../model/zone-setting-table/index.ts'
import { type Coverage, notEnforced } from './enforcement.ts'

/** @param reason of the answer to the write */
export function refused(reason: string): Coverage {
  return notEnforced(`an apply fails: ${reason}`)
}

/** The member that a write refuses, if there is one. */
export function refusedMember(fault: Unsupported | undefined): Coverage | undefined {
  return fault && refused(`${fault.field} is not supported: ${fault.reason}`)
}

/** The objects of a list. Version 4 of the provider writes blocks in the same way. */
export function blocksIn(values: JsonObject, name: string): readonly JsonObject[] {
  const value = values[name]
  return Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : []
}

/** An object; version 4 of the provider writes a list with one member. */
export function blockIn(values: JsonObject, name: string): JsonObject | undefined {
  const value = values[name]
  return isObject(value) ? value : blocksIn(values, name)[0]
}

/** Whether a member is neither null, empty nor unknown before the apply. */
export function isGiven(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
