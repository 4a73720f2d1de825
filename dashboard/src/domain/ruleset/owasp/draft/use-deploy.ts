import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Call, send } from '../../../../api/client.ts'
import { ApiFailure } from '../../../../api/failure.ts'
import { keyOf } from '../../../../api/hooks.ts'
import type { Ruleset } from '../../../../api/types.ts'
import { entryPointKey } from '../../entry-point.ts'
import { managedPhase } from '../document.ts'
import { setDraft } from './draft-store.ts'

/** Deploys a draft. A refused draft keeps its error, and the rules of others are refetched. */
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
          ? `Ruleset removed (version ${ruleset.version})`
          : `Ruleset deployed (version ${ruleset.version})`
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

/** True when someone else's change came first. */
export function isStale(error: unknown): boolean {
  if (!(error instanceof ApiFailure)) return false
  return error.status === 412 || error.status === 404 || error.code === secondEntryPoint
}

const secondEntryPoint = 20217
