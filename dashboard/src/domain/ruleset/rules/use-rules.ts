import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { type Call, send } from '../../../api/client.ts'
import { keyOf } from '../../../api/hooks.ts'
import type { Ruleset } from '../../../api/types.ts'
import { FailureText } from '../../../ui/display/failure-text.tsx'
import { entryPointKey, useEntryPoint } from '../entry-point.ts'
import type { At } from './calls.ts'
import type { Entry, ListPhase, Rule } from './document.ts'

export interface Change {
  /** Built when the call is due, against the version at that time. */
  readonly make: (at: At) => Call
  /** Optimistic state of the list until the response. */
  readonly expect?: (rules: readonly Rule[]) => readonly Rule[]
  /** Success message; undefined when the list itself shows the result. */
  readonly done?: string
  /** Failure message, such as “Failed to move rule”. */
  readonly failed: string
}

/** The rules of one phase of a zone: undefined while loading, null when there are none. */
export function useRules(zoneId: string, phase: ListPhase) {
  const { data, error, refetch } = useEntryPoint(zoneId, phase)
  return { entry: data as Entry | null | undefined, error, refetch }
}

/**
 * Queues changes of a list: each applies to the version that the previous one returned. After a conflict, the list is
 * refetched, so that no changes of others are lost.
 * @param onMade called with each successful call
 */
export function useRuleChange(zoneId: string, phase: ListPhase, onMade: (call: Call) => void) {
  const queries = useQueryClient()
  const key = entryPointKey(zoneId, phase)
  const mutationKey = ['rules', zoneId, phase]
  return useMutation<Ruleset, Error, Change>({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: async ({ make }) => {
      const entry = queries.getQueryData<Entry | null>(key) ?? null
      const call = make({ zoneId, phase, entry })
      const { result } = await send<Ruleset>(call)
      onMade(call)
      return result
    },
    onMutate: async ({ expect }) => {
      await queries.cancelQueries({ queryKey: key })
      if (expect === undefined) return
      queries.setQueryData<Entry | null>(key, entry => entry && { ...entry, rules: expect(entry.rules) })
    },
    onSuccess: async (ruleset, { done }) => {
      // Queued changes that the response does not include yet.
      const isLast = queries.isMutating({ mutationKey }) <= 1
      queries.setQueryData<Entry | null>(key, entry =>
        isLast || !entry ? (ruleset as Entry) : { ...entry, version: ruleset.version },
      )
      if (done !== undefined) notifications.show({ color: 'teal', message: done })
      const others = [
        'GET /zones/{zone_id}/rulesets',
        'GET /zones/{zone_id}/rulesets/{ruleset_id}/versions',
      ] as const
      for (const operation of others) void queries.invalidateQueries({ queryKey: keyOf(operation) })
    },
    onError: async (error, { failed }) => {
      const message = createElement(FailureText, { error })
      notifications.show({ color: 'red', title: failed, message, autoClose: false })
      await queries.invalidateQueries({ queryKey: key })
    },
  })
}
