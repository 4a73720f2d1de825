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

/** Who waits for a turn; the first of them is the next. */
const waiting: (() => void)[] = []

/**
 * Resolves in a later turn of the event loop, and for one caller a turn only: however many requests take long, others
 * wait for one slice and not for one of each.
 */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(takeTurn)
  })
}

function takeTurn(): void {
  const resume = waiting.shift()
  if (waiting.length > 0) setImmediate(takeTurn)
  resume?.()
}
