/** A cache that can be emptied to make room for others. */
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
 * Bounds what many caches hold together: those that did not grow for longest are emptied when another one needs room.
 * A cache that nobody else holds on to gives its share back.
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

  /** What all caches hold. */
  get bytes(): number {
    return this.#bytes
  }

  /** @returns what the cache calls with the bytes it holds, whenever they change */
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
      if (this.#bytes > this.#bytesMax) this.#makeRoom(entry)
    }
  }

  /** Empties the oldest until a quarter is free. O(caches), and rare for that quarter. */
  #makeRoom(keeping: Entry): void {
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
