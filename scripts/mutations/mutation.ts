/** A small mistake put into the engine on purpose: some test must notice. */
export interface Mutation {
  /** `area: what is wrong`; unique. */
  readonly name: string
  /** Path from the root of the tree. */
  readonly file: string
  /** Occurs once in the file. */
  readonly find: string
  readonly replace: string
  /** Test files that may notice, the likeliest first. */
  readonly tests: readonly string[]
}

/** The text with the mistake; undefined when the place is not there, or not the only one. */
export function mutated(text: string, { find, replace }: Mutation): string | undefined {
  const at = text.indexOf(find)
  if (at < 0 || text.indexOf(find, at + 1) >= 0) return undefined
  return text.slice(0, at) + replace + text.slice(at + find.length)
}

type Edit = readonly [what: string, find: string, replace: string]

/** Mutations of one file. */
export function mutationsOf(
  area: string,
  file: string,
  tests: readonly string[],
  edits: readonly Edit[],
): Mutation[] {
  return edits.map(([what, find, replace]) => ({ name: `${area}: ${what}`, file, find, replace, tests }))
}
