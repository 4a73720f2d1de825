import { regexLimits } from '../kit/limits.ts'

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

const entries = new Set<Entry>()
/** Caches that are gone with their matchers give back what they held. */
const gone = new FinalizationRegistry<Entry>(entry => release(entry))
let bytesInUse = 0
let clock = 0

/**
 * What the caches of all matchers of the process hold together stays below `regexLimits.dfaBytesTotalMax`: those that
 * did not grow for longest are emptied when another one needs room.
 */
export class MemoryShare {
  readonly #entry: Entry

  constructor(cache: Evictable) {
    this.#entry = { cache: new WeakRef(cache), bytes: 0, grown: 0 }
    entries.add(this.#entry)
    gone.register(cache, this.#entry)
  }

  /** @param bytes what the cache holds now */
  set(bytes: number): void {
    bytesInUse += bytes - this.#entry.bytes
    this.#entry.bytes = bytes
    this.#entry.grown = ++clock
    if (bytesInUse > regexLimits.dfaBytesTotalMax) makeRoom(this.#entry)
  }
}

/** Empties the oldest until a quarter is free. O(caches), and rare for that quarter. */
function makeRoom(keeping: Entry): void {
  const oldest = [...entries]
    .filter(entry => entry !== keeping && entry.bytes > 0)
    .sort((a, b) => a.grown - b.grown)
  for (const entry of oldest) {
    if (bytesInUse <= regexLimits.dfaBytesTotalMax * 0.75) return
    const cache = entry.cache.deref()
    if (cache === undefined) release(entry)
    else cache.empty()
  }
}

function release(entry: Entry): void {
  if (entries.delete(entry)) bytesInUse -= entry.bytes
}
