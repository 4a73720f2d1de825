import { nextTurn } from '../kit/turns.ts'

/** Work that yields wherever others may have their turn; the engine's `Steps` are such. */
export type Slices<Result> = Generator<void, Result, void>

/**
 * Runs work in slices, so that what takes long does not hold up other requests. The first slice runs at once: a phase
 * of the rules that ends within it, as nearly all do, costs neither a promise nor a turn of the event loop.
 * @throws what the work throws; after the first slice the promise rejects with it
 */
export function inSlices<Result>(work: Slices<Result>): Result | Promise<Result> {
  const first = work.next()
  return first.done === true ? first.value : runOn(work)
}

async function runOn<Result>(work: Slices<Result>): Promise<Result> {
  for (;;) {
    await nextTurn()
    const step = work.next()
    if (step.done === true) return step.value
  }
}
