import { useQuery } from '@tanstack/react-query'
import type { Payload } from './payload.ts'

/** The private key of payload logging: in memory until the user leaves the page or clears it. */
export interface PayloadKey {
  /** Empty without a key. */
  readonly value: string
  readonly set: (value: string) => void
}

export interface PayloadState {
  readonly data: Payload | undefined
  readonly error: Error | null
  readonly isFetching: boolean
}

/** The decrypted payload of an event, once a key is set. */
export function usePayload(encrypted: string | undefined, key: string): PayloadState {
  const { data, error, isFetching } = useQuery({
    queryKey: ['payload', encrypted, key],
    queryFn: async () => (await import('./payload.ts')).decryptPayload(key, encrypted!),
    enabled: encrypted !== undefined && key !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // Forgets the key and everything decrypted with it.
    gcTime: 0,
  })
  return { data, error, isFetching }
}
