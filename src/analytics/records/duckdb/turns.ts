/** Things that one task uses at a time; tasks wait in the order of their arrival. */
export class Turns<Thing> {
  readonly things: readonly Thing[]
  readonly #free: Thing[]
  readonly #waiting: ((thing: Thing) => void)[] = []

  constructor(things: readonly Thing[]) {
    this.things = things
    this.#free = [...things]
  }

  async take<T>(task: (thing: Thing) => Promise<T>): Promise<T> {
    const thing = this.#free.pop() ?? (await new Promise<Thing>(resolve => this.#waiting.push(resolve)))
    try {
      return await task(thing)
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free.push(thing)
      else next(thing)
    }
  }

  /** Resolves when the tasks so far have ended. */
  async end(): Promise<void> {
    const held: (() => void)[] = []
    const taken = this.things.map(() => {
      const all = new Promise<void>(resolve => held.push(resolve))
      return new Promise<void>(resolve => {
        void this.take(() => {
          resolve()
          return all
        })
      })
    })
    await Promise.all(taken)
    for (const release of held) release()
  }
}
