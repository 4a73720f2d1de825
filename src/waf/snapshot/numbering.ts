/** Numbers things from 0; things with the same text share a number. */
export class Numbering<T> {
  readonly things: T[] = []
  readonly #numbers = new Map<string, number>()
  readonly #textOf: (thing: T) => string

  constructor(textOf: (thing: T) => string) {
    this.#textOf = textOf
  }

  /** The number of the first thing with the same text. */
  of(thing: T): number {
    const text = this.#textOf(thing)
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const number = this.things.push(thing) - 1
    this.#numbers.set(text, number)
    return number
  }
}
