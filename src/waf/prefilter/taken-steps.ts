/** The steps that were run for one value, and the numbers of their results. */
export class TakenSteps {
  readonly #keys: Int32Array
  readonly #results: Int16Array
  #count = 0

  /** @param stepsMax for one value */
  constructor(stepsMax: number) {
    this.#keys = new Int32Array(stepsMax)
    this.#results = new Int16Array(stepsMax)
  }

  begin(): void {
    this.#count = 0
  }

  /**
   * The result of the step; undefined if it was not run.
   * @param key of the step and its input
   */
  find(key: number): number | undefined {
    for (let i = 0; i < this.#count; i++) if (this.#keys[i] === key) return this.#results[i]
    return undefined
  }

  add(key: number, result: number): void {
    this.#keys[this.#count] = key
    this.#results[this.#count++] = result
  }
}
