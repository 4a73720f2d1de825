import { useMemo } from 'react'
import { useUrlState } from '../../../ui/address/use-url-state.ts'
import { type RuleRow, type RuleSearch, type StateFilter, stateFilters } from './rule-search.ts'
import type { HitsOfRules } from './use-rule-hits.ts'

export const sorts = ['number', 'day', 'week', 'share'] as const
export type Sort = (typeof sorts)[number]

/** The search in the address. */
export function useRuleSearch(): { readonly search: RuleSearch; readonly sort: Sort } {
  const [text] = useUrlState('q')
  const [tag] = useUrlState('tag')
  const [level] = useUrlState('level')
  const [state] = useUrlState('state', 'all')
  const [sort] = useUrlState('sort', 'number')
  const search = useMemo(
    () => ({
      text,
      tag,
      level: /^[1-4]$/.test(level) ? Number(level) : undefined,
      state: stateFilters.includes(state as StateFilter) ? (state as StateFilter) : 'all',
    }),
    [text, tag, level, state],
  )
  return { search, sort: sorts.includes(sort as Sort) ? (sort as Sort) : 'number' }
}

/** Ascending by number, descending by all other columns. */
export function sortRows(rows: readonly RuleRow[], sort: Sort, hits: HitsOfRules): readonly RuleRow[] {
  if (sort === 'number') return rows.toSorted((a, b) => Number(a.number) - Number(b.number))
  const rankOf = ({ rule }: RuleRow): number => {
    const found = hits.of(rule.id)
    if (sort === 'share') return found?.week.false_positive_share ?? -1
    return found?.[sort].hits ?? -1
  }
  return rows.toSorted((a, b) => rankOf(b) - rankOf(a) || Number(a.number) - Number(b.number))
}
