import { notifications } from '@mantine/notifications'
import {
  keepPreviousData,
  type QueryKey,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { createElement, useSyncExternalStore } from 'react'
import { FailureText } from '../ui/failure-text.tsx'
import { call, type Input, type Operation, type Result } from './client.ts'
import { currentSession, onSession, type Session } from './session.ts'

/** The session; pages below the frame have one. */
export function useSession(): Session {
  const session = useSyncExternalStore(onSession, currentSession)
  if (session === undefined) throw new Error('this page needs somebody who is signed in')
  return session
}

export function useMaybeSession(): Session | undefined {
  return useSyncExternalStore(onSession, currentSession)
}

/** Beginning of the keys of all queries of an operation; with its path, of those of one resource. */
export function keyOf<Key extends Operation>(key: Key, input?: Input<Key>): QueryKey {
  return input === undefined ? [key] : [key, input]
}

interface ReadOptions {
  readonly enabled?: boolean
  /** Milliseconds between one answer and the next question; never unless said. */
  readonly everyMs?: number
  readonly staleMs?: number
  /** Shows the answer to the last question until this one's is there. */
  readonly keepPrevious?: boolean
}

/** What the API answers to a call that reads, kept and shared by all who ask the same. */
export function useRead<Key extends Operation & `GET ${string}`>(
  key: Key,
  input?: Input<Key>,
  { enabled = true, everyMs, staleMs, keepPrevious = false }: ReadOptions = {},
): UseQueryResult<Result<Key>> {
  return useQuery({
    queryKey: keyOf(key, input),
    queryFn: ({ signal }) => call(key, input, signal),
    enabled,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    ...(staleMs === undefined ? {} : { staleTime: staleMs }),
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
  })
}

interface ChangeOptions<Key extends Operation> {
  /** Said when it worked, such as “Zone added”. */
  readonly done: string | ((result: Result<Key>) => string)
  /** Said when it did not, such as “The zone was not added”. */
  readonly failed: string
  /** Operations whose answers are different from now on. */
  readonly changes?: readonly Operation[]
  readonly onDone?: (result: Result<Key>) => void
  /** The form shows the failure itself. */
  readonly quietFailure?: boolean
}

/** A call that changes something: `isPending` while it runs, then a note that it worked or what to do about it. */
export function useChange<Key extends Operation>(
  key: Key,
  { done, failed, changes = [], onDone, quietFailure = false }: ChangeOptions<Key>,
) {
  const queries = useQueryClient()
  return useMutation<Result<Key>, Error, Input<Key>>({
    mutationFn: input => call(key, input),
    onSuccess: async result => {
      notifications.show({ color: 'teal', message: typeof done === 'string' ? done : done(result) })
      await Promise.all(changes.map(changed => queries.invalidateQueries({ queryKey: keyOf(changed) })))
      onDone?.(result)
    },
    onError: error => {
      if (quietFailure) return
      const message = createElement(FailureText, { error })
      notifications.show({ color: 'red', title: failed, message, autoClose: false })
    },
  })
}
