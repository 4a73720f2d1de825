import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/**
 * A parameter of the address: filters, tabs and searches can be linked to and survive a reload.
 * @param fallback default value, omitted from the address
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
