import { keepPreviousData, type QueryKey, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { call, type Input, type Operation, type Result } from './client.ts'
import { currentSession, onSession, type Session } from './session.ts'

/** The session; every page inside the frame has one. */
export function useSession(): Session {
  const session = useSyncExternalStore(onSession, currentSession)
  if (session === undefined) throw new Error('this page needs a session')
  return session
}

export function useMaybeSession(): Session | undefined {
  return useSyncExternalStore(onSession, currentSession)
}

/** Prefix of the query keys of an operation; with a path, the prefix for one resource. */
export function keyOf<Key extends Operation>(key: Key, input?: Input<Key>): QueryKey {
  return input === undefined ? [key] : [key, input]
}

interface ReadOptions {
  readonly enabled?: boolean
  /** Milliseconds between polls; without it, no polling. */
  readonly everyMs?: number
  readonly staleMs?: number
  /** Shows the previous answer until the new one arrives. */
  readonly keepPrevious?: boolean
}

/** Reads an operation of the API. Components with the same input share one cached answer. */
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
