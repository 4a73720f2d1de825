/** Throws when something that must hold does not: a mistake of ours, never of the input. */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${what}`)
}
