import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type EventFilter, type FilterName, filterNames, readFilter } from './filter.ts'

export interface FilterState {
  readonly filter: EventFilter
  readonly isEmpty: boolean
  /** An empty value removes the condition. */
  readonly set: (name: FilterName, value: string) => void
  /** Sets the condition; removes it when it has this value already. */
  readonly toggle: (name: FilterName, value: string) => void
  readonly clear: () => void
}

/** The filter in the address. */
export function useEventFilter(): FilterState {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const navigate = useNavigate()
  const text = JSON.stringify(readFilter(search))
  // Keeps its identity when other parts of the address change, so that queries do not run again.
  const filter = useMemo(() => JSON.parse(text) as EventFilter, [text])
  const change = useCallback(
    (part: Readonly<Record<string, string | undefined>>) => {
      const next = (before: object) => ({ ...before, ...part })
      void navigate({ to: '.', search: next as never, replace: true })
    },
    [navigate],
  )
  return useMemo(
    () => ({
      filter,
      isEmpty: Object.keys(filter).length === 0,
      set: (name, value) => change({ [name]: value === '' ? undefined : value }),
      toggle: (name, value) => change({ [name]: filter[name] === value ? undefined : value }),
      clear: () => change(Object.fromEntries(filterNames.map(name => [name, undefined]))),
    }),
    [filter, change],
  )
}
