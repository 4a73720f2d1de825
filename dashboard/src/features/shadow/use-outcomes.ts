import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { callPage } from '../../api/client.ts'
import type { SecurityEvent, Shadow } from '../../api/types.ts'
import type { TimeRange } from '../../ui/time-range.tsx'
import { type Outcome, outcomesOf } from './outcomes.ts'

const key = 'GET /zones/{zone_id}/security/events'
const perPage = 1000

/** What the shadow found in a range of time, newest first; the events of managed rules carry it. */
export function useOutcomes(zoneId: string, shadow: Shadow, { since, until }: TimeRange) {
  const events = useInfiniteQuery({
    queryKey: [key, 'shadow', zoneId, since, until],
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === '' ? {} : { cursor: pageParam }
      const query = { since, until, source: 'firewallmanaged', limit: perPage, ...cursor }
      return callPage(key, { path: { zone_id: zoneId }, query }, signal)
    },
    initialPageParam: '',
    getNextPageParam: ({ page }) => page?.cursors?.after || undefined,
    refetchInterval: query => (shadow.enabled && query.state.data?.pages.length === 1 ? everyMs : false),
  })
  const { data } = events
  const all = useMemo(() => data?.pages.flatMap(({ result }) => result) ?? [], [data])
  const outcomes: readonly Outcome[] = useMemo(() => outcomesOf(all, shadow), [all, shadow])
  return { ...events, outcomes, oldest: all.at(-1) satisfies SecurityEvent | undefined }
}

/** While it runs, results come in. */
const everyMs = 10_000
