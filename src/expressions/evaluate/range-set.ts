/** Both ends included. */
export interface Range<T extends number | bigint | string> {
  readonly first: T
  readonly last: T
}

/** A fixed set of ranges, which may overlap. `has` is O(log ranges). */
export class RangeSet<T extends number | bigint | string> {
  /** Ascending. */
  readonly #first: readonly T[]
  /** Highest end of the range at this index and all before it. */
  readonly #reach: readonly T[]

  constructor(ranges: readonly Range<T>[]) {
    const sorted = ranges.toSorted((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0))
    const reach: T[] = []
    for (const { last } of sorted) {
      const before = reach.at(-1)
      reach.push(before !== undefined && before > last ? before : last)
    }
    this.#first = sorted.map(range => range.first)
    this.#reach = reach
  }

  has(value: T): boolean {
    let low = 0
    let high = this.#first.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#first[middle]! <= value) low = middle + 1
      else high = middle
    }
    return low > 0 && this.#reach[low - 1]! >= value
  }
}
