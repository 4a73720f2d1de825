import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { callPage, type Input, type Operation, type Result } from './client.ts'
import { keyOf } from './hooks.ts'

type Row<Key extends Operation> = Result<Key> extends readonly (infer One)[] ? One : never

/** Operations that paginate with `page` and `per_page`. */
type PagedOperation = {
  readonly [Key in Operation & `GET ${string}`]: Result<Key> extends readonly { readonly id: string }[]
    ? Key
    : never
}[Operation & `GET ${string}`]

/**
 * A list that loads its next page on scroll. New rows at the top shift older rows to the next page; each row is
 * shown once.
 */
export function usePages<Key extends PagedOperation>(
  key: Key,
  input: Input<Key>,
  { perPage, enabled = true }: { readonly perPage: number; readonly enabled?: boolean },
) {
  const list = useInfiniteQuery({
    queryKey: [...keyOf(key, input), 'pages', perPage],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...(input.query as object | undefined), page: pageParam, per_page: perPage }
      return callPage(key, { ...input, query } as Input<Key>, signal)
    },
    initialPageParam: 1,
    getNextPageParam: ({ result }, pages) =>
      (result as readonly unknown[]).length < perPage ? undefined : pages.length + 1,
    placeholderData: keepPreviousData,
    enabled,
  })
  const { data, hasNextPage, isFetching, fetchNextPage } = list
  const rows = useMemo(() => {
    const found = new Map<string, Row<Key>>()
    for (const { result } of data?.pages ?? [])
      for (const row of result as readonly { readonly id: string }[]) found.set(row.id, row as Row<Key>)
    return [...found.values()]
  }, [data])
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
  return {
    rows,
    /** Total from the API; undefined when the API does not report one. */
    total: data?.pages[0]?.page?.total_count,
    hasMore: hasNextPage,
    isPending: list.isPending,
    isFetching,
    isError: list.isError,
    error: list.error,
    refetch: list.refetch,
    onNearEnd,
  }
}
