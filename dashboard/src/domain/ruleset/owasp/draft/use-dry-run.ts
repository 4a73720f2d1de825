import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type Call, send } from '../../../../api/client.ts'

/** Dry-runs a call shortly after the last change. */
export function useDryRun(call: Call | undefined) {
  const text = call === undefined ? '' : JSON.stringify(call)
  const [settled] = useDebouncedValue(text, 400)
  const check = useQuery({
    queryKey: ['dry run', settled],
    queryFn: async ({ signal }) => {
      const { path, ...rest } = JSON.parse(settled) as Call
      await send({ ...rest, path: `${path}?dry_run=true` }, signal)
      return true
    },
    enabled: settled !== '',
    retry: false,
    staleTime: 5000,
    gcTime: 30_000,
  })
  const isCurrent = settled === text && text !== ''
  return {
    accepted: isCurrent && check.isSuccess,
    error: isCurrent && check.isError ? check.error : undefined,
    checking: text !== '' && (!isCurrent || check.isFetching),
  }
}
