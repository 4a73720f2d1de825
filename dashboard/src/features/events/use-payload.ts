import { useQuery } from '@tanstack/react-query'
import type { Payload } from './payload.ts'

/** The private key of payload logging: in the memory of the page, until it is left or told to forget. */
export interface PayloadKey {
  /** Empty when there is none. */
  readonly value: string
  readonly set: (value: string) => void
}

export interface PayloadState {
  readonly data: Payload | undefined
  readonly error: Error | null
  readonly isFetching: boolean
}

/** What an event recorded, decrypted here as soon as there is a key. */
export function usePayload(encrypted: string | undefined, key: string): PayloadState {
  const { data, error, isFetching } = useQuery({
    queryKey: ['payload', encrypted, key],
    queryFn: async () => (await import('./payload.ts')).decryptPayload(key, encrypted!),
    enabled: encrypted !== undefined && key !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // Neither the key nor what it opened stays behind.
    gcTime: 0,
  })
  return { data, error, isFetching }
}
