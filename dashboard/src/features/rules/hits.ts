import { useMemo } from 'react'
import { useRead } from '../../api/hooks.ts'

/** Requests that a rule matched. */
export interface Hits {
  readonly day: number
  readonly week: number
}

const none: Hits = { day: 0, week: 0 }

/** By rule; undefined when they are not known, because they are being read or may not be. */
export function useHits(zoneId: string): ((ruleId: string) => Hits) | undefined {
  const { data } = useRead(
    'GET /zones/{zone_id}/security/rules',
    { path: { zone_id: zoneId } },
    { everyMs: 60_000 },
  )
  return useMemo(() => {
    if (data === undefined) return undefined
    const found = new Map(
      data.rules.map(({ rule_id, day, week }) => [rule_id, { day: day.hits, week: week.hits }]),
    )
    return (ruleId: string) => found.get(ruleId) ?? none
  }, [data])
}
