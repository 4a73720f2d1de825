import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { callPage } from '../../api/client.ts'

const shownMax = 50

/** The first fifty zones whose names contain a text. The API searches, because an account can have ten thousand. */
export function useZoneSearch(search: string, enabled = true) {
  const [text] = useDebouncedValue(search.trim(), 150)
  return useQuery({
    queryKey: ['GET /zones', 'search', text],
    queryFn: ({ signal }) =>
      callPage(
        'GET /zones',
        { query: { per_page: shownMax, ...(text === '' ? {} : { name: `contains:${text}` }) } },
        signal,
      ),
    enabled,
    placeholderData: keepPreviousData,
  })
}
