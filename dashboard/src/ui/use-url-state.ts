import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/**
 * A text in the query of the address: filters, tabs and what is searched for can be linked to and survive a reload.
 * @param fallback is not written into the address
 */
export function useUrlState(name: string, fallback = ''): readonly [string, (value: string) => void] {
  const search = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>
  const navigate = useNavigate()
  const set = useCallback(
    (value: string) => {
      const change = (before: Readonly<Record<string, unknown>>) => ({
        ...before,
        [name]: value === fallback ? undefined : value,
      })
      void navigate({ to: '.', search: change as never, replace: true })
    },
    [navigate, name, fallback],
  )
  return [search[name] ?? fallback, set]
}
