import { createHash } from 'node:crypto'

/** A job's records of one log, or of one part of a log. */
export interface Work {
  readonly jobId: number
  /** As leases name it. */
  readonly log: string
  /** Whether new records of the job come there. Otherwise the work is only to pass the records of others. */
  readonly busy: boolean
}

interface Part {
  readonly log: string
  /** In this order they go to processes; the rest goes with the first. */
  readonly units: readonly Work[]
  readonly rest: readonly Work[]
}

/**
 * Divides the work on one log among processes. All have the same number of busy jobs and parts, or one more. As few
 * processes as possible read the same part, because each reads all of it. A process that starts or ends moves
 * part of the others' work, too. Every process works out the same division.
 * @param locations of the processes
 * @returns `keyOf` the work → location
 */
export function sharesOf(works: readonly Work[], locations: readonly string[]): ReadonlyMap<string, string> {
  const shares = new Map<string, string>()
  if (locations.length === 0) return shares
  const parts = Array.from(
    Map.groupBy(works, ({ log }) => log),
    ([log, all]) => partOf(log, all),
  )
  const [idle, busy] = [parts.filter(isIdle), parts.filter(part => !isIdle(part))]
  divide(busy, locations, shares)
  // They cost the reading.
  divide(
    idle.map(({ log, rest }) => ({ log, units: rest.slice(0, 1), rest: rest.slice(1) })),
    locations,
    shares,
  )
  return shares
}

export function keyOf({ jobId, log }: Pick<Work, 'jobId' | 'log'>): string {
  return `${jobId} ${log}`
}

function partOf(log: string, all: readonly Work[]): Part {
  const sorted = all.toSorted((a, b) => a.jobId - b.jobId)
  return { log, units: sorted.filter(({ busy }) => busy), rest: sorted.filter(({ busy }) => !busy) }
}

function isIdle({ units }: Part): boolean {
  return units.length === 0
}

/** The largest parts first: they are the ones that should not be read twice. */
function divide(parts: readonly Part[], locations: readonly string[], shares: Map<string, string>): void {
  const capacity = new Capacity(
    locations,
    parts.reduce((sum, { units }) => sum + units.length, 0),
  )
  const largestFirst = parts.toSorted((a, b) => b.units.length - a.units.length || (a.log < b.log ? -1 : 1))
  for (const { log, units, rest } of largestFirst) {
    const preferred = byPreference(locations, log)
    const taken = units.map(() => capacity.take(preferred))
    for (const [index, work] of units.entries()) shares.set(keyOf(work), taken[index]!)
    for (const work of rest) shares.set(keyOf(work), taken[0]!)
  }
}

/** By a hash of process and part: a process that starts or ends does not change the order of the others. */
function byPreference(locations: readonly string[], log: string): readonly string[] {
  const weights = new Map(
    locations.map(location => [location, createHash('sha256').update(`${location}/${log}`).digest('hex')]),
  )
  return locations.toSorted((a, b) => (weights.get(a)! > weights.get(b)! ? -1 : 1))
}

/** Equal shares, and one unit more for as many processes as units are left over. */
class Capacity {
  readonly #each: number
  #more: number
  readonly #taken: Map<string, number>

  constructor(locations: readonly string[], units: number) {
    this.#each = Math.floor(units / locations.length)
    this.#more = units % locations.length
    this.#taken = new Map(locations.map(location => [location, 0]))
  }

  /** @returns the first of these processes that can take one more unit */
  take(preferred: readonly string[]): string {
    const location = preferred.find(one => this.#canTake(this.#taken.get(one)!))!
    const taken = this.#taken.get(location)!
    if (taken === this.#each) this.#more--
    this.#taken.set(location, taken + 1)
    return location
  }

  #canTake(taken: number): boolean {
    return taken < this.#each || (taken === this.#each && this.#more > 0)
  }
}
