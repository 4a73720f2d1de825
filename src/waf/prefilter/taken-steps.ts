import type { Transformation } from '../transformations/index.ts'

/** The steps that were run for one value, and the numbers of their results. Its objects are reused for the next value. */
export class TakenSteps {
  readonly #steps: TakenStep[] = []
  #count = 0

  begin(): void {
    this.#count = 0
  }

  /** The result of the step; undefined if it was not run. */
  find(apply: Transformation, before: string): number | undefined {
    for (let i = 0; i < this.#count; i++) {
      const step = this.#steps[i]!
      if (step.apply === apply && step.before === before) return step.to
    }
    return undefined
  }

  add(apply: Transformation, before: string, to: number): void {
    const step = this.#steps[this.#count]
    if (step === undefined) this.#steps.push({ apply, before, to })
    else {
      step.apply = apply
      step.before = before
      step.to = to
    }
    this.#count++
  }

  /** Releases the values. */
  rest(): void {
    this.#steps.length = 0
  }
}

interface TakenStep {
  apply: Transformation
  before: string
  to: number
}
