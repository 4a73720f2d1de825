/** Requests a later turn of the event loop; browsers have no `setImmediate`. */
const later: (run: () => void) => void =
  typeof setImmediate === 'function' ? setImmediate : run => void setTimeout(run, 0)

/** Callers that wait. Groups take turns, so a group with many callers does not delay another, and so do its members. */
class Queue {
  /** By group and by member of the group. Those whose turn is next come first. */
  readonly #groups = new Map<string, Map<string, (() => void)[]>>()

  get isEmpty(): boolean {
    return this.#groups.size === 0
  }

  get groupCount(): number {
    return this.#groups.size
  }

  has(group: string): boolean {
    return this.#groups.has(group)
  }

  /** A group waits here and not in the other queue. */
  hasGroupBeyond(other: Queue): boolean {
    for (const group of this.#groups.keys()) if (!other.has(group)) return true
    return false
  }

  /** Callers of one member are served in their order. */
  wait(group: string, member: string): Promise<void> {
    planTurn()
    return new Promise(resolve => {
      const members = this.#groups.get(group)
      const callers = members?.get(member)
      if (members === undefined) this.#groups.set(group, new Map([[member, [resolve]]]))
      else if (callers === undefined) members.set(member, [resolve])
      else callers.push(resolve)
    })
  }

  /** Resumes so many callers, or all if there are fewer. Their work runs after the return. */
  resume(count: number): void {
    for (let resumed = 0; resumed < count && !this.isEmpty; resumed++) {
      const [group, members] = takeFirst(this.#groups)
      const [member, callers] = takeFirst(members)
      const resume = callers.shift()!
      if (callers.length > 0) members.set(member, callers)
      if (members.size > 0) this.#groups.set(group, members)
      resume()
    }
  }
}

function takeFirst<Value>(map: Map<string, Value>): [key: string, value: Value] {
  const [first] = map as unknown as [[string, Value]]
  map.delete(first[0])
  return first
}

const continuing = new Queue()
const beginning = new Queue()
const long = new Queue()

/** Callers that one turn of the event loop resumes. More than one long piece would delay all others. */
const continuingPerTurn = 4
const beginningPerTurn = 4
const longPerTurn = 1

/** A group may begin so many pieces of work at once in each turn of the event loop. */
const atOncePerTurn = 8

/** How many pieces of work each group began at once in this turn of the event loop. */
const begunAtOnce = new Map<string, number>()

let isPlanned = false

function planTurn(): void {
  if (isPlanned) return
  isPlanned = true
  later(takeTurn)
}

function takeTurn(): void {
  isPlanned = false
  begunAtOnce.clear()
  continuing.resume(continuingCount())
  beginning.resume(beginningPerTurn)
  long.resume(longPerTurn)
  if (!continuing.isEmpty || !beginning.isEmpty || !long.isEmpty) planTurn()
}

/**
 * Short work passes long work of the same group only. While another group waits with nothing but long work, each group
 * continues one piece per turn. So both get as many slices.
 */
function continuingCount(): number {
  if (!long.hasGroupBeyond(continuing)) return continuingPerTurn
  return Math.min(continuingPerTurn, continuing.groupCount)
}

/**
 * For new work. A group may begin eight pieces at once in each turn of the event loop, if none of its work waits.
 * Otherwise the work waits for its turn, so that the order of arrival is kept.
 * @param group for example the id of a zone
 * @param member for example a client of the zone
 * @returns undefined if the work may begin at once
 */
export function turnToBegin(group: string, member: string): Promise<void> | undefined {
  const count = begunAtOnce.get(group) ?? 0
  if (count >= atOncePerTurn || beginning.has(group) || continuing.has(group))
    return beginning.wait(group, member)
  begunAtOnce.set(group, count + 1)
  planTurn()
  return undefined
}

/** For work that began and is still short. It passes work of its group that takes long. */
export function turnToContinue(group: string, member: string): Promise<void> {
  return continuing.wait(group, member)
}

/** For long work: resolves in a later turn of the event loop. Each turn resumes one caller. */
export function nextTurn(group = '', member = ''): Promise<void> {
  return long.wait(group, member)
}
