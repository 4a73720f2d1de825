import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { type Call, send } from '../../api/client.ts'
import { entryPointKey, useEntryPoint } from '../../api/entry-point.ts'
import { keyOf } from '../../api/hooks.ts'
import type { Ruleset } from '../../api/types.ts'
import { FailureText } from '../../ui/failure-text.tsx'
import type { At } from './calls.ts'
import type { Entry, ListPhase, Rule } from './document.ts'

export interface Change {
  /** Made when its turn comes, against the version there is then. */
  readonly make: (at: At) => Call
  /** What the list looks like as long as the answer is not there. */
  readonly expect?: (rules: readonly Rule[]) => readonly Rule[]
  /** Said when it worked; nothing when the list itself shows it. */
  readonly done?: string
  /** Said when it did not, such as “The rule was not moved”. */
  readonly failed: string
}

/** The rules of one phase of a zone: undefined while they are read, null when there are none yet. */
export function useRules(zoneId: string, phase: ListPhase) {
  const { data, error, refetch } = useEntryPoint(zoneId, phase)
  return { entry: data as Entry | null | undefined, error, refetch }
}

/**
 * Changes of a list, one after the other: many quick ones are all made, each against the version that the one before
 * gave. When somebody else was faster, the list is read anew and nothing of theirs is lost.
 * @param onMade is told the call of each that was made
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
      // What the answer does not know yet is still under way.
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
