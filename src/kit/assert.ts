/** Throws when an invariant is broken: always our bug, never a matter of the input. */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${what}`)
}
