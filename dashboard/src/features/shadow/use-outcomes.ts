import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { callPage } from '../../api/client.ts'
import type { SecurityEvent, Shadow } from '../../api/types.ts'
import type { TimeRange } from '../../ui/address/time-range.tsx'
import { type Outcome, outcomesOf } from './outcomes.ts'

const key = 'GET /zones/{zone_id}/security/events'
const perPage = 1000

/** Shadow results of a time range, newest first, from the events of managed rules. */
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

/** Polls while the shadow runs. */
const everyMs = 10_000
