import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { ApiFailure } from '../../api/failure.ts'
import { keyOf } from '../../api/hooks.ts'
import type { Shadow } from '../../api/types.ts'

export const shadowKey = 'GET /zones/{zone_id}/waf/shadow'

/** The shadow of a zone; null when it has none. */
export function useShadow(zoneId: string): UseQueryResult<Shadow | null> {
  const input = { path: { zone_id: zoneId } }
  return useQuery({
    queryKey: [...keyOf(shadowKey, input), 'or none'],
    queryFn: async ({ signal }): Promise<Shadow | null> => {
      try {
        return await call(shadowKey, input, signal)
      } catch (error) {
        if (error instanceof ApiFailure && error.status === 404 && error.code === noShadow) return null
        throw error
      }
    },
  })
}

const noShadow = 10460
