import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Call, send } from '../../api/client.ts'
import { entryPointKey } from '../../api/entry-point.ts'
import { ApiFailure } from '../../api/failure.ts'
import { keyOf } from '../../api/hooks.ts'
import type { Ruleset } from '../../api/types.ts'
import { managedPhase } from '../../managed/document.ts'
import { setDraft } from './draft-store.ts'

/** Makes the call of a draft. A refusal stays with the draft; what others changed meanwhile is read anew. */
export function useDeploy(zoneId: string) {
  const queries = useQueryClient()
  const key = entryPointKey(zoneId, managedPhase)
  return useMutation({
    mutationFn: async (call: Call) => (await send<Ruleset>(call)).result,
    onSuccess: async (ruleset, call) => {
      queries.setQueryData(key, ruleset)
      setDraft(zoneId, undefined)
      const message =
        call.method === 'DELETE'
          ? `The ruleset is removed: version ${ruleset.version} is in force.`
          : `Deployed: version ${ruleset.version} is in force at every edge within a second.`
      notifications.show({ color: 'teal', message })
      const changed = [
        'GET /zones/{zone_id}/rulesets',
        'GET /zones/{zone_id}/rulesets/{ruleset_id}',
        'GET /zones/{zone_id}/rulesets/{ruleset_id}/versions',
        'GET /zones/{zone_id}/rulesets/phases/{phase}/entrypoint',
      ] as const
      await Promise.all(changed.map(operation => queries.invalidateQueries({ queryKey: keyOf(operation) })))
    },
    onError: async error => {
      if (isStale(error)) await queries.invalidateQueries({ queryKey: key })
    },
  })
}

/** Was it refused because somebody else was faster? */
export function isStale(error: unknown): boolean {
  if (!(error instanceof ApiFailure)) return false
  return error.status === 412 || error.status === 404 || error.code === secondEntryPoint
}

const secondEntryPoint = 20217
