import { useMemo } from 'react'
import { useRead } from '../../api/hooks.ts'
import { hitsNote } from '../../ui/hits-note.ts'

/** Requests that a rule matched. */
export interface Hits {
  readonly day: number
  readonly week: number
}

const none: Hits = { day: 0, week: 0 }

export interface HitsOfRules {
  /** Of a rule by its id; undefined until they are known. */
  readonly of: ((ruleId: string) => Hits) | undefined
  /** Why there are none to show. */
  readonly note: string | undefined
}

/** What each rule of the zone matched in the last day and week. */
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
