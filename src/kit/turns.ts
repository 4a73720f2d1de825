/** Requests a later turn of the event loop; browsers have no `setImmediate`. */
const later: (run: () => void) => void =
  typeof setImmediate === 'function' ? setImmediate : run => void setTimeout(run, 0)

/** Callers that wait, by group and by member of the group; those whose turn is next come first. */
type Members = Map<string, (() => void)[]>
type Groups = Map<string, Members>

const waiting: Groups = new Map()

/** A group may begin so many pieces of work in each turn of the event loop. */
const beginningsPerTurn = 8

/** So many of them are left to its only member that waits. */
const beginningsOfOne = 4

/** How many pieces of work each group began in this turn of the event loop. */
const begun = new Map<string, number>()

/** Work that is to begin in a later turn. */
const beginningLater: Groups = new Map()

/**
 * Resolves in a later turn of the event loop. Each turn serves one caller, so other work waits for at most one slice
 * however many requests take long. Groups take turns, so a group with many callers does not delay another group. In the
 * turns of a group its members take turns. Callers of one member are served in their order.
 * @param group for example the id of a zone
 * @param member for example a client of the zone
 */
export function nextTurn(group = '', member = ''): Promise<void> {
  return new Promise(resolve => {
    if (waiting.size === 0) later(takeTurn)
    add(waiting, group, member, resolve)
  })
}

/**
 * For new work. A group may begin eight pieces in each turn of the event loop, so that a burst of one group delays no
 * other by much. Beyond that, its members take turns. If work of one member waits, half of the next beginnings are free
 * for others.
 * @returns undefined if the work may begin at once
 */
export function turnToBegin(group: string, member: string): Promise<void> | undefined {
  const count = begun.get(group) ?? 0
  const isBehindItsOwn = beginningLater.size > 0 && beginningLater.get(group)?.has(member) === true
  if (count < beginningsPerTurn && !isBehindItsOwn) {
    if (begun.size === 0) later(beginNext)
    begun.set(group, count + 1)
    return undefined
  }
  return new Promise(resolve => add(beginningLater, group, member, resolve))
}

function beginNext(): void {
  begun.clear()
  const groups = [...beginningLater]
  for (const [group, members] of groups) {
    const most = members.size === 1 ? beginningsOfOne : beginningsPerTurn
    let count = 0
    for (; count < most && members.size > 0; count++) takeFirst(members)()
    if (members.size === 0) beginningLater.delete(group)
    begun.set(group, count)
  }
  if (groups.length > 0) later(beginNext)
}

function takeTurn(): void {
  const [[group, members]] = waiting as unknown as [[string, Members]]
  const resume = takeFirst(members)
  waiting.delete(group)
  if (members.size > 0) waiting.set(group, members)
  if (waiting.size > 0) later(takeTurn)
  resume()
}

function add(groups: Groups, group: string, member: string, resume: () => void): void {
  const members = groups.get(group)
  const callers = members?.get(member)
  if (members === undefined) groups.set(group, new Map([[member, [resume]]]))
  else if (callers === undefined) members.set(member, [resume])
  else callers.push(resume)
}

/** Takes the next caller. Its member becomes the last. */
function takeFirst(members: Members): () => void {
  const [[member, callers]] = members as unknown as [[string, (() => void)[]]]
  const resume = callers.shift()!
  members.delete(member)
  if (callers.length > 0) members.set(member, callers)
  return resume
}
