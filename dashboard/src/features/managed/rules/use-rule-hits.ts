import { useMemo } from 'react'
import { useRead } from '../../../api/hooks.ts'
import type { SecurityRuleHits } from '../../../api/types.ts'
import { hitsNote } from '../../../domain/ruleset/hits-note.ts'

export type RuleHits = Pick<SecurityRuleHits['rules'][number], 'day' | 'week'>

export interface HitsOfRules {
  /** Hits by rule id; undefined until loaded. Rules without matches have zeros. */
  of(ruleId: string): RuleHits | undefined
  /** Why hits are unavailable. */
  readonly note: string | undefined
}

const none = { hits: 0, mitigated: 0, passed_well: 0, false_positive_share: null }
const noHits: RuleHits = { day: none, week: none }

/** Matches of each rule in the last day and week. */
export function useRuleHits(zoneId: string): HitsOfRules {
  const { data, error } = useRead(
    'GET /zones/{zone_id}/security/rules',
    { path: { zone_id: zoneId } },
    { staleMs: 60_000 },
  )
  return useMemo(() => {
    const byId = new Map(data?.rules.map(rule => [rule.rule_id, rule]))
    return { of: id => (data === undefined ? undefined : (byId.get(id) ?? noHits)), note: hitsNote(error) }
  }, [data, error])
}

/** `0.25` → `25 %`; a dash without data. */
export function shareText(share: number | null | undefined): string {
  if (share === null || share === undefined) return '—'
  return `${(share * 100).toLocaleString(undefined, { maximumFractionDigits: share < 0.1 ? 1 : 0 })} %`
}

export function countText(count: number | undefined): string {
  return count === undefined ? '—' : count.toLocaleString()
}
