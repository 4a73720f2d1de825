import { useQueries } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { keyOf, useSession } from '../../api/hooks.ts'
import type { SecurityAccountOverview } from '../../api/types.ts'

const key = 'GET /accounts/{account_id}/security/overview'
/** The API takes so many ids in one question. */
const askedMax = 50

export type ZoneTraffic = SecurityAccountOverview['zones'][number]

/** Traffic of the zones that are loaded, by id; a zone that is not there had none, or it is not known yet. */
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
        // As often as the figures above; of thousands of zones, those that are seen first.
        refetchInterval: index === 0 ? 30_000 : false,
      }
    }),
    combine: answers => ({
      known: answers.every(answer => answer.isSuccess),
      byZone: new Map(answers.flatMap(({ data }) => data?.zones ?? []).map(zone => [zone.id, zone])),
    }),
  })
}
