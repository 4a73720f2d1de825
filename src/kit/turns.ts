/** Requests a later turn of the event loop; browsers have no `setImmediate`. */
const later: (run: () => void) => void =
  typeof setImmediate === 'function' ? setImmediate : run => void setTimeout(run, 0)

/** Callers that wait for a turn, first come, first served. */
const waiting: (() => void)[] = []

/**
 * Resolves in a later turn of the event loop. Each turn serves one caller, so other work waits for at most one slice
 * however many requests take long.
 */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve)
    if (waiting.length === 1) later(takeTurn)
  })
}

function takeTurn(): void {
  const resume = waiting.shift()
  if (waiting.length > 0) later(takeTurn)
  resume?.()
}
