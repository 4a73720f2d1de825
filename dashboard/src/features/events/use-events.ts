import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { callPage } from '../../api/client.ts'
import { keyOf } from '../../api/hooks.ts'
import type { SecurityEvent } from '../../api/types.ts'
import { type TimeRange, useTimeRange } from '../../ui/address/time-range.tsx'
import type { EventFilter } from './filter/filter.ts'

const operation = 'GET /zones/{zone_id}/security/events'
/** The first page is short, so that it loads fast; pages on scroll are long. */
const firstPage = 200
const nextPages = 1000

/** Filter and range of the whole page at one moment. */
export interface EventQuery {
  readonly zoneId: string
  readonly range: TimeRange
  readonly filter: EventFilter
  /** Number of refreshes. */
  readonly round: number
}

/** A range that ends now is fixed until `refresh`, so that the list does not move while the user reads. */
export function useRange(): {
  readonly range: TimeRange
  readonly round: number
  readonly refresh: () => void
} {
  const live = useTimeRange()
  const name = live.preset ?? `${live.since} ${live.until}`
  const [kept, setKept] = useState<{ readonly name: string; readonly range: TimeRange }>()
  const [round, setRound] = useState(0)
  const queries = useQueryClient()
  const range = kept?.name === name ? kept.range : live
  if (kept?.name !== name) setKept({ name, range: live })
  const refresh = useCallback(() => {
    setKept(undefined)
    setRound(before => before + 1)
    for (const read of ['timeseries', 'top'] as const)
      void queries.invalidateQueries({ queryKey: keyOf(`GET /zones/{zone_id}/security/${read}`) })
  }, [queries])
  return { range, round, refresh }
}

export interface EventList {
  readonly events: readonly SecurityEvent[]
  readonly isPending: boolean
  readonly isFetching: boolean
  /** Rows of the previous query. */
  readonly isPlaceholderData: boolean
  readonly isError: boolean
  /** True when older events remain. */
  readonly hasMore: boolean
  readonly error: Error | null
  readonly loadMore: () => void
  readonly again: () => void
}

/** Pages of events, newest first. */
export function useEvents({ zoneId, range, filter, round }: EventQuery, enabled: boolean): EventList {
  const { since, until } = range
  const list = useInfiniteQuery({
    queryKey: [operation, 'pages', zoneId, since, until, filter, round],
    queryFn: ({ pageParam, signal }) => {
      const page = pageParam === '' ? { limit: firstPage } : { limit: nextPages, cursor: pageParam }
      const input = { path: { zone_id: zoneId }, query: { since, until, ...filter, ...page } }
      return callPage(operation, input, signal)
    },
    initialPageParam: '',
    getNextPageParam: last => last.page?.cursors?.after || last.page?.cursor || undefined,
    enabled,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    // A hundred thousand events: no structural comparison, and a short cache time.
    structuralSharing: false,
    gcTime: 10_000,
  })
  const { data, hasNextPage, isFetching, isError, fetchNextPage, refetch } = list
  const events = useMemo(() => data?.pages.flatMap(page => page.result) ?? [], [data])
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, fetchNextPage])
  // An empty page can have a next one: the search continues further back.
  const isDry = data?.pages.at(-1)?.result.length === 0
  useEffect(() => {
    if (isDry) loadMore()
  }, [isDry, loadMore])
  return {
    events,
    isPending: list.isPending,
    isFetching,
    isPlaceholderData: list.isPlaceholderData,
    isError,
    hasMore: hasNextPage,
    error: list.error,
    loadMore,
    again: () => void (data === undefined ? refetch() : fetchNextPage()),
  }
}
