import type { JsonObject } from '../../model/resource.ts'
import { hasNoMeaning } from '../problems.ts'
import { noteOrRefuse, pointerTo } from '../reading.ts'
import { isMetAnyway, setConfigShape, settingsWithoutMeaning } from '../schemas/set-config.ts'
import type { ActionContext } from './action-context.ts'

const zoneDecides: ReadonlySet<unknown> = new Set(['off', 'flexible', 'origin_pull'])

/**
 * Checks the settings that act here. The others may ask for what happens anyway; else they are noted where the
 * installation keeps them, and refused elsewhere.
 */
export function checkSetConfig(parameters: JsonObject, { pointer, context }: ActionContext): JsonObject {
  const { ssl } = parameters
  const enforced = new Map(Object.entries(parameters))
  if (zoneDecides.has(ssl)) {
    const why = "the zone's own setting ssl says whether TLS is used; full and strict say how it is checked"
    noteOrRefuse(hasNoMeaning('ssl', String(ssl), why, `${pointer}/ssl`), context.notEnforced)
    enforced.delete('ssl')
  }
  for (const [name, why] of Object.entries(settingsWithoutMeaning)) {
    const value = enforced.get(name)
    if (value === undefined) continue
    const isMet = isMetAnyway(name, value)
    if (!isMet && context.notEnforced === undefined) continue
    enforced.delete(name)
    if (!isMet) context.notEnforced?.(hasNoMeaning('action_parameters', name, why, pointerTo(pointer, name)))
  }
  const isKeptAlone = enforced.size === 0 && Object.keys(parameters).length > 0
  if (!isKeptAlone) setConfigShape.read(Object.fromEntries(enforced), pointer)
  return parameters
}
