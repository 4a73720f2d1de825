import type { RequestView } from './request-view.ts'

/**
 * A value derived from a part of the request, such as the map of its headers. Computed on first use, and kept in the
 * view until that part changes, as after a rewrite.
 */
export function derived<Source, T>(
  sourceOf: (view: RequestView) => Source,
  make: (source: Source, view: RequestView) => T,
): (view: RequestView) => T {
  const slot = slots++
  return view => {
    const source = sourceOf(view)
    const known = view.derived?.[slot] as Kept<Source, T> | undefined
    if (known !== undefined && known.source === source) return known.value
    const value = make(source, view)
    if (view.derived !== undefined) view.derived[slot] = { source, value }
    return value
  }
}

interface Kept<Source, T> {
  readonly source: Source
  readonly value: T
}

/** One slot for each call of `derived`. */
let slots = 0
