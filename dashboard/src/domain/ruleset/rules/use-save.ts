import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Call, send } from '../../../api/client.ts'
import { ApiFailure } from '../../../api/failure.ts'
import { keyOf } from '../../../api/hooks.ts'
import type { Ruleset } from '../../../api/types.ts'
import { entryPointKey } from '../entry-point.ts'
import type { ListPhase } from './document.ts'

interface Options {
  readonly done: string
  readonly onDone: () => void
}

/** Saves a form. The form shows the failure; rules that others changed are refetched. */
export function useSave(zoneId: string, phase: ListPhase, { done, onDone }: Options) {
  const queries = useQueryClient()
  const key = entryPointKey(zoneId, phase)
  return useMutation<Ruleset, Error, Call>({
    mutationFn: async call => (await send<Ruleset>(call)).result,
    onSuccess: ruleset => {
      queries.setQueryData(key, ruleset)
      notifications.show({ color: 'teal', message: done })
      const others = [
        'GET /zones/{zone_id}/rulesets',
        'GET /zones/{zone_id}/rulesets/{ruleset_id}/versions',
      ] as const
      for (const operation of others) void queries.invalidateQueries({ queryKey: keyOf(operation) })
      onDone()
    },
    onError: async error => {
      if (isStale(error)) await queries.invalidateQueries({ queryKey: key })
    },
  })
}

/** True when someone else's change came first. 20217: the phase got its first rules in the meantime. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiFailure && (error.status === 412 || error.code === 20217)
}
