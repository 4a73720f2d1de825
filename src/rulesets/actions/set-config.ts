import type { JsonObject } from '../../model/resource.ts'
import { hasNoMeaning, inPart } from '../problems.ts'
import { noteOrRefuse, pointerTo } from '../reading.ts'
import {
  effectOf,
  isMetAnyway,
  type SetConfigParameters,
  setConfigShape,
  settingsWithoutMeaning,
} from '../schemas/set-config.ts'
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
  for (const [name, value] of Object.entries(parameters)) {
    const why = Object.hasOwn(settingsWithoutMeaning, name) ? settingsWithoutMeaning[name] : undefined
    if (why === undefined) continue
    enforced.delete(name)
    if (isMetAnyway(name, value)) continue
    noteOrRefuse(hasNoMeaning('action_parameters', name, why, pointerTo(pointer, name)), context.notEnforced)
  }
  const isKeptAlone = enforced.size === 0 && Object.keys(parameters).length > 0
  if (!isKeptAlone)
    noteParts(setConfigShape.read(Object.fromEntries(enforced), pointer), { pointer, context })
  return parameters
}

function noteParts(
  said: SetConfigParameters,
  { pointer, context }: Pick<ActionContext, 'pointer' | 'context'>,
) {
  for (const [name, value] of Object.entries(said) as [keyof SetConfigParameters, string | boolean][]) {
    const effect = effectOf(name, value)
    if (effect.status === 'partly') context.inPart?.note(inPart(`${name}: ${effect.how}`, pointer))
  }
}
