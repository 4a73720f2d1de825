/** How the runtime is asked for a later turn of its event loop; browsers have no `setImmediate`. */
const later: (run: () => void) => void =
  typeof setImmediate === 'function' ? setImmediate : run => void setTimeout(run, 0)

/** Who waits for a turn; the first of them is the next. */
const waiting: (() => void)[] = []

/**
 * Resolves in a later turn of the event loop, and for one caller a turn only: however many requests take long, others
 * wait for one slice and not for one of each.
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
