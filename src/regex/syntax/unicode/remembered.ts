/** A function of a set that is computed once for each set object: patterns repeat the same few. */
export function remembered<T>(make: (set: readonly number[]) => T): (set: readonly number[]) => T {
  const results = new WeakMap<readonly number[], { readonly result: T }>()
  return set => {
    let known = results.get(set)
    if (known === undefined) {
      known = { result: make(set) }
      results.set(set, known)
    }
    return known.result
  }
}
