import type { JsonObject } from '../../model/resource.ts'
import { hasNoMeaning } from '../problems.ts'
import { refuse } from '../reading.ts'

const zoneDecides: ReadonlySet<unknown> = new Set(['off', 'flexible', 'origin_pull'])

/** Called before the shape check, which only lists the valid values. */
export function refuseForeignSsl({ ssl }: JsonObject, pointer: string): void {
  if (!zoneDecides.has(ssl)) return
  const why = "the zone's own setting ssl says whether TLS is used; full and strict say how it is checked"
  refuse(hasNoMeaning('ssl', String(ssl), why, `${pointer}/ssl`))
}
