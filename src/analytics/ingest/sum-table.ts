type Level = Map<number, Level | number[]>

/** Sums by composite keys of numbers: nested maps, which are cheaper than concatenated keys. */
export class SumTable {
  readonly #keys: number
  readonly #sums: number
  readonly #root: Level = new Map()

  /** @param keys numbers in a key @param sums sums of each key */
  constructor(keys: number, sums: number) {
    this.#keys = keys
    this.#sums = sums
  }

  /** The sums of a key, initially 0, to be increased by the caller. */
  row(a: number, b: number, c?: number, d?: number, e?: number): number[] {
    const first = inner(this.#root, a)
    if (this.#keys === 2) return this.#leaf(first, b)
    const second = inner(first, b)
    if (this.#keys === 3) return this.#leaf(second, c!)
    const third = inner(second, c!)
    return this.#keys === 4 ? this.#leaf(third, d!) : this.#leaf(inner(third, d!), e!)
  }

  /** Each key with its sums. */
  *rows(): Generator<number[], void> {
    yield* rowsOf(this.#root, [])
  }

  #leaf(level: Level, key: number): number[] {
    let sums = level.get(key) as number[] | undefined
    if (sums === undefined) {
      sums = new Array<number>(this.#sums).fill(0)
      level.set(key, sums)
    }
    return sums
  }
}

function inner(level: Level, key: number): Level {
  let next = level.get(key) as Level | undefined
  if (next === undefined) {
    next = new Map()
    level.set(key, next)
  }
  return next
}

function* rowsOf(level: Level, keys: readonly number[]): Generator<number[], void> {
  for (const [key, below] of level)
    if (below instanceof Map) yield* rowsOf(below, [...keys, key])
    else yield [...keys, key, ...below]
}
