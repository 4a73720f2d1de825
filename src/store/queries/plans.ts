import type { Ruleset } from '../../model/resource.ts'
import type { Gate } from '../gate.ts'
import type { PlanDocuments, Store } from '../port.ts'
import { redactionOf } from './redaction.ts'
import { rulesetOf } from './rulesets.ts'
import { sampleRateOf } from './sampling.ts'
import { shadowOf } from './shadows.ts'

export function planQueries(gate: Gate): Store['plans'] {
  return {
    documents: zoneIds =>
      gate.read(async db => {
        if (zoneIds.length === 0) return new Map()
        const rulesetRows = await db
          .selectFrom('rulesets')
          .selectAll()
          .where('zone_id', 'in', zoneIds)
          .orderBy('position')
          .execute()
        const shadowRows = await db
          .selectFrom('shadows')
          .selectAll()
          .where('zone_id', 'in', zoneIds)
          .execute()
        const redactionRows = await db
          .selectFrom('redactions')
          .selectAll()
          .where('zone_id', 'in', zoneIds)
          .execute()
        const samplingRows = await db
          .selectFrom('what_if_sampling')
          .selectAll()
          .where('zone_id', 'in', zoneIds)
          .execute()
        const rulesets = new Map<string, Ruleset[]>(zoneIds.map(id => [id, []]))
        for (const row of rulesetRows) {
          const id = row.zone_id!
          rulesets.get(id)!.push(rulesetOf({ kind: 'zone', id }, row))
        }
        const shadows = new Map(shadowRows.map(row => [row.zone_id, shadowOf(row)]))
        const redactions = new Map(redactionRows.map(row => [row.zone_id, redactionOf(row)]))
        const sampleRates = new Map(samplingRows.map(row => [row.zone_id, sampleRateOf(row)]))
        return new Map(
          zoneIds.map((id): [string, PlanDocuments] => [
            id,
            {
              rulesets: rulesets.get(id)!,
              shadow: shadows.get(id),
              redaction: redactions.get(id),
              sampleRate: sampleRates.get(id),
            },
          ]),
        )
      }),
  }
}
