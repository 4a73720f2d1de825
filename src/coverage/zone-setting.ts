import type { Json } from '../model/resource.ts'
import { faultIn, inWords, type ValueShape, zoneSettingTable } from '../model/zone-setting-table/index.ts'
import { type Coverage, enforced, notEnforced, partly, unknown } from './enforcement.ts'

/** A value of a zone setting. */
export function coverZoneSetting(name: string, value: Json): Coverage {
  const declared = zoneSettingTable.get(name)
  if (declared === undefined) return unknown('there is no zone setting of this name')
  const fault = faultIn(declared.shape, value)
  if (fault !== undefined) return notEnforced(`it is refused: the value is ${inWords(declared.shape)}`)
  return declared.enforcementOf(value)
}

/** A zone setting as a whole: whether some value that it can have does less than at Cloudflare. */
export function zoneSettingEnforcement(name: string): Coverage {
  const { shape, default: standard, enforcementOf } = zoneSettingTable.get(name)!
  const effects = [standard, ...examplesOf(shape)].map(enforcementOf)
  const idle = effects.find(effect => effect.status === 'not_enforced')
  if (idle !== undefined) return idle
  const inPart = effects.flatMap(effect => (effect.status === 'partly' ? [effect.how] : []))
  return inPart.length === 0 ? enforced : partly([...new Set(inPart)].join('; '))
}

/** Values that differ from each other as far as the shape allows. */
function examplesOf(shape: ValueShape): readonly Json[] {
  switch (shape.kind) {
    case 'choice':
      return shape.values
    case 'range':
      return [shape.min, shape.max]
    case 'flag':
      return [true, false]
    case 'text':
      return ['x']
    case 'list':
      return [examplesOf(shape.of).slice(0, 1)]
    case 'object': {
      const members = Object.entries(shape.members)
      return [Object.fromEntries(members.map(([name, member]) => [name, examplesOf(member)[0]!]))]
    }
  }
}
