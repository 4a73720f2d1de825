/** Requests a later turn of the event loop; browsers have no `setImmediate`. */
const later: (run: () => void) => void =
  typeof setImmediate === 'function' ? setImmediate : run => void setTimeout(run, 0)

/** Callers that wait for a turn, by group; the group whose turn is next comes first. */
const waiting = new Map<string, (() => void)[]>()

/** Groups that began work in this turn of the event loop. */
const begun = new Set<string>()

/**
 * Resolves in a later turn of the event loop. Each turn serves one caller, so other work waits for at most one slice
 * however many requests take long. Groups take turns, so a group with many callers does not delay another group.
 * @param group callers that share one part of the turns, first come, first served; for example the id of a zone
 */
export function nextTurn(group = ''): Promise<void> {
  return new Promise(resolve => {
    const callers = waiting.get(group)
    if (callers !== undefined) {
      callers.push(resolve)
      return
    }
    waiting.set(group, [resolve])
    if (waiting.size === 1) later(takeTurn)
  })
}

/**
 * For new work. A group may begin some once in each turn of the event loop, so that a burst of one group delays no other.
 * @returns undefined if the work may begin at once
 */
export function turnToBegin(group: string): Promise<void> | undefined {
  if (waiting.has(group) || begun.has(group)) return nextTurn(group)
  if (begun.size === 0) later(() => begun.clear())
  begun.add(group)
  return undefined
}

function takeTurn(): void {
  const [[group, callers]] = waiting as unknown as [[string, (() => void)[]]]
  const resume = callers.shift()!
  waiting.delete(group)
  if (callers.length > 0) waiting.set(group, callers)
  if (waiting.size > 0) later(takeTurn)
  resume()
}
