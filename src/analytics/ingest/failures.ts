/** Counts failures, and reports one that lasts only once. */
export class Failures {
  readonly #report: (error: unknown) => void
  #last: string | undefined
  #count = 0

  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  get count(): number {
    return this.#count
  }

  add(error: unknown): void {
    this.#count++
    if (String(error) !== this.#last) this.#report(error)
    this.#last = String(error)
  }

  /** The next failure is reported, whichever it is. */
  end(): void {
    this.#last = undefined
  }
}
