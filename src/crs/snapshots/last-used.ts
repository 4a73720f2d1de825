/** A cache of costly values: made once for each key, also for concurrent callers; the last few stay. */
export class LastUsed<T> {
  readonly #max: number
  readonly #kept = new Map<string, Promise<T>>()

  constructor(max: number) {
    this.#max = max
  }

  /** A failure is not cached. */
  async get(key: string, make: () => Promise<T>): Promise<T> {
    const made = this.#kept.get(key) ?? make()
    this.#kept.delete(key)
    this.#kept.set(key, made)
    if (this.#kept.size > this.#max) this.#kept.delete(this.#kept.keys().next().value!)
    try {
      return await made
    } catch (error) {
      if (this.#kept.get(key) === made) this.#kept.delete(key)
      throw error
    }
  }
}
