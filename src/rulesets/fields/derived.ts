import type { RequestView } from '../request-view.ts'

/**
 * A value worked out of a part of the request, such as the map of its headers. Made when it is first asked for; kept
 * in the view until that part is another one, as after a rewrite.
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

/** One place for each call of `derived`. */
let slots = 0
