/** A cache that can be emptied to free memory for others. */
export interface Evictable {
  empty(): void
}

interface Entry {
  readonly cache: WeakRef<Evictable>
  bytes: number
  /** When it last grew. */
  grown: number
}

/**
 * Bounds the memory of many caches together. If one needs memory, the caches that grew longest ago are emptied. A
 * garbage-collected cache returns its share.
 */
export class MemoryPool {
  readonly #bytesMax: number
  readonly #entries = new Set<Entry>()
  readonly #gone = new FinalizationRegistry<Entry>(entry => this.#release(entry))
  #bytes = 0
  #clock = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Bytes of all caches. */
  get bytes(): number {
    return this.#bytes
  }

  /** @returns a function that the cache calls with its bytes whenever they change */
  join(cache: Evictable): (bytes: number) => void {
    const entry: Entry = { cache: new WeakRef(cache), bytes: 0, grown: 0 }
    this.#entries.add(entry)
    this.#gone.register(cache, entry)
    return bytes => {
      const more = bytes - entry.bytes
      this.#bytes += more
      entry.bytes = bytes
      if (more <= 0) return
      entry.grown = ++this.#clock
      if (this.#bytes > this.#bytesMax) this.#evictOldest(entry)
    }
  }

  /** Empties the oldest until a quarter is free. O(caches), and rare because of that quarter. */
  #evictOldest(keeping: Entry): void {
    const others = [...this.#entries].filter(entry => entry !== keeping && entry.bytes > 0)
    for (const entry of others.sort((a, b) => a.grown - b.grown)) {
      if (this.#bytes <= this.#bytesMax * 0.75) return
      const cache = entry.cache.deref()
      if (cache === undefined) this.#release(entry)
      else cache.empty()
    }
  }

  #release(entry: Entry): void {
    if (this.#entries.delete(entry)) this.#bytes -= entry.bytes
  }
}
