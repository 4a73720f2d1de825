/**
 * Things that are open, such as connections, in the order in which they were opened. A set alone would keep closed ones in
 * memory: V8 links each table that a set has outgrown to the next, and an old table keeps them all until a full collection.
 */
export class OpenSet<Thing extends object> {
  readonly #entries = new Set<{ thing: Thing | undefined }>()

  get size(): number {
    return this.#entries.size
  }

  /** @returns a function that removes it */
  add(thing: Thing): () => void {
    const entry: { thing: Thing | undefined } = { thing }
    this.#entries.add(entry)
    return () => {
      this.#entries.delete(entry)
      entry.thing = undefined
    }
  }

  *[Symbol.iterator](): Generator<Thing> {
    for (const { thing } of this.#entries) if (thing !== undefined) yield thing
  }
}
