/** Runs a phase, or another generator, to its end at once. */
export function toEnd<Result>(steps: Generator<void, Result, void>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
