import { useMemo } from 'react'
import { useRead } from '../../../api/hooks.ts'
import { hitsNote } from '../../../domain/ruleset/hits-note.ts'

/** Number of requests that a rule matched. */
export interface Hits {
  readonly day: number
  readonly week: number
}

const none: Hits = { day: 0, week: 0 }

export interface HitsOfRules {
  /** Hits by rule id; undefined until loaded. */
  readonly of: ((ruleId: string) => Hits) | undefined
  /** Why hits are unavailable. */
  readonly note: string | undefined
}

/** Matches of each rule in the last day and week. */
export function useHits(zoneId: string): HitsOfRules {
  const { data, error } = useRead(
    'GET /zones/{zone_id}/security/rules',
    { path: { zone_id: zoneId } },
    { everyMs: 60_000 },
  )
  const of = useMemo(() => {
    if (data === undefined) return undefined
    const found = new Map(
      data.rules.map(({ rule_id, day, week }) => [rule_id, { day: day.hits, week: week.hits }]),
    )
    return (ruleId: string) => found.get(ruleId) ?? none
  }, [data])
  return { of, note: data === undefined ? hitsNote(error) : undefined }
}
