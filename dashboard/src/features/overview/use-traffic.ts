import { useQueries } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { keyOf, useSession } from '../../api/hooks.ts'
import type { SecurityAccountOverview } from '../../api/types.ts'

const key = 'GET /accounts/{account_id}/security/overview'
/** Maximum number of ids per call. */
const askedMax = 50

export type ZoneTraffic = SecurityAccountOverview['zones'][number]

/** Traffic of the loaded zones by id; absent zones had no traffic, or it is not loaded yet. */
export function useTraffic(zoneIds: readonly string[]): {
  readonly known: boolean
  readonly byZone: ReadonlyMap<string, ZoneTraffic>
} {
  const account_id = useSession().accountId
  const chunks = Array.from({ length: Math.ceil(zoneIds.length / askedMax) }, (_, i) =>
    zoneIds.slice(i * askedMax, (i + 1) * askedMax),
  )
  return useQueries({
    queries: chunks.map((ids, index) => {
      const input = { path: { account_id }, query: { zone_ids: ids.join(','), limit: askedMax } }
      return {
        queryKey: keyOf(key, input),
        queryFn: () => call(key, input),
        staleTime: 60_000,
        // Polls as often as the figures above. With thousands of zones, only the first ones.
        refetchInterval: index === 0 ? 30_000 : false,
      }
    }),
    combine: answers => ({
      known: answers.every(answer => answer.isSuccess),
      byZone: new Map(answers.flatMap(({ data }) => data?.zones ?? []).map(zone => [zone.id, zone])),
    }),
  })
}
