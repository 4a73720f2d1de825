import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type EventFilter, type FilterName, filterNames, readFilter } from './filter.ts'

export interface FilterState {
  readonly filter: EventFilter
  readonly isEmpty: boolean
  /** An empty value takes the condition away. */
  readonly set: (name: FilterName, value: string) => void
  /** Sets the condition; takes it away when it is that already. */
  readonly toggle: (name: FilterName, value: string) => void
  readonly clear: () => void
}

/** The filter that the address names. */
export function useEventFilter(): FilterState {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const navigate = useNavigate()
  const text = JSON.stringify(readFilter(search))
  // The address changes for other reasons too; what asks by the filter shall not ask again for those.
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
