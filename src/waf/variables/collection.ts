import type { Entry } from './entry.ts'

/** The values of one variable at one moment. */
export interface Collection {
  /** All of them in order. The array never changes afterwards, even if the variable does. */
  all(): readonly Entry[]
  /** Values with that key, given in lower case. */
  named(folded: string): readonly Entry[]
}

const none: readonly Entry[] = []

/** A fixed list. A long one has an index by key, built at first use. */
export class EntryList implements Collection {
  readonly #entries: readonly Entry[]
  #byKey: Map<string, Entry[]> | undefined

  constructor(entries: readonly Entry[]) {
    this.#entries = entries
  }

  all(): readonly Entry[] {
    return this.#entries
  }

  named(folded: string): readonly Entry[] {
    if (this.#entries.length <= searchedLength) return entriesWith(this.#entries, folded)
    this.#byKey ??= indexByKey(this.#entries)
    return this.#byKey.get(folded) ?? none
  }
}

export const emptyCollection: Collection = new EntryList(none)

/** For a few look-ups in a list of this length, an index does not pay. */
const searchedLength = 32

function entriesWith(entries: readonly Entry[], folded: string): readonly Entry[] {
  let found: Entry[] | undefined
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i]!
    // Most keys differ in length, which is much faster to compare.
    if (entry.key.length !== folded.length || entry.folded !== folded) continue
    if (found === undefined) found = [entry]
    else found.push(entry)
  }
  return found ?? none
}

function indexByKey(entries: readonly Entry[]): Map<string, Entry[]> {
  const byKey = new Map<string, Entry[]>()
  for (const entry of entries) {
    const same = byKey.get(entry.folded)
    if (same === undefined) byKey.set(entry.folded, [entry])
    else same.push(entry)
  }
  return byKey
}
