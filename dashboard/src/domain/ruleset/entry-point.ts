import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { call, type Result } from '../../api/client.ts'
import { ApiFailure } from '../../api/failure.ts'
import { keyOf } from '../../api/hooks.ts'

const operation = 'GET /zones/{zone_id}/rulesets/phases/{phase}/entrypoint'

export type EntryPointAnswer = Result<typeof operation> | null

/** Key of the query below, to store a newer answer. */
export function entryPointKey(zoneId: string, phase: string) {
  return [...keyOf(operation, { path: { zone_id: zoneId, phase } }), 'or none']
}

/** The entry point of a phase; null when the zone has none. */
export function useEntryPoint(zoneId: string, phase: string): UseQueryResult<EntryPointAnswer> {
  return useQuery({
    queryKey: entryPointKey(zoneId, phase),
    queryFn: async ({ signal }): Promise<EntryPointAnswer> => {
      try {
        return await call(operation, { path: { zone_id: zoneId, phase } }, signal)
      } catch (error) {
        if (error instanceof ApiFailure && error.status === 404 && error.code === noEntryPoint) return null
        throw error
      }
    },
  })
}

const noEntryPoint = 10003
