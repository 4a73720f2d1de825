/** Requests a later turn of the event loop; browsers have no `setImmediate`. */
const later: (run: () => void) => void =
  typeof setImmediate === 'function' ? setImmediate : run => void setTimeout(run, 0)

/** Callers that wait for a turn, by group; the group whose turn is next comes first. */
const waiting = new Map<string, (() => void)[]>()

/** A group may begin so many pieces of work in each turn of the event loop. */
const beginningsPerTurn = 8

/** How many pieces of work each group began in this turn of the event loop. */
const begun = new Map<string, number>()

/** Work that is to begin in a later turn, by group, in its order. */
const beginningLater = new Map<string, (() => void)[]>()

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
 * For new work. A group may begin eight pieces in each turn of the event loop, so that a burst of one group delays no
 * other by much.
 * @returns undefined if the work may begin at once
 */
export function turnToBegin(group: string): Promise<void> | undefined {
  const count = begun.get(group) ?? 0
  if (count < beginningsPerTurn) {
    if (begun.size === 0) later(beginNext)
    begun.set(group, count + 1)
    return undefined
  }
  return new Promise(resolve => {
    const queue = beginningLater.get(group)
    if (queue === undefined) beginningLater.set(group, [resolve])
    else queue.push(resolve)
  })
}

function beginNext(): void {
  begun.clear()
  const groups = [...beginningLater]
  for (const [group, queue] of groups) {
    const next = queue.splice(0, beginningsPerTurn)
    if (queue.length === 0) beginningLater.delete(group)
    begun.set(group, next.length)
    for (const resume of next) resume()
  }
  if (groups.length > 0) later(beginNext)
}

function takeTurn(): void {
  const [[group, callers]] = waiting as unknown as [[string, (() => void)[]]]
  const resume = callers.shift()!
  waiting.delete(group)
  if (callers.length > 0) waiting.set(group, callers)
  if (waiting.size > 0) later(takeTurn)
  resume()
}
