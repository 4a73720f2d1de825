import { measureLimits } from '../limits.ts'

/** Requests of one zone, or of all zones without an entry. */
export interface ZoneRequests {
  /** Name of the zone; `other` for the rest. */
  readonly zone: string
  /** `2xx`; `none` when the connection was closed without a response. */
  readonly status: string
  readonly action: string
  readonly requests: number
}

interface Counts {
  readonly zone: string
  /** By action; each has a number for each class of statuses, from `none` to `5xx`. */
  readonly byAction: Map<string, Float64Array>
  /** Requests since the last choice. */
  recent: number
}

const statusClasses = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const

/**
 * Counts requests by zone. The busiest zones have a separate entry, so that the number of series is bounded. A zone
 * without an entry takes the place of one that has become less than half as busy. The requests of the one that leaves go
 * over to the rest, so the sum never falls.
 */
export class ZoneTraffic {
  readonly #zonesMax: number
  readonly #named = new Map<string, Counts>()
  readonly #rest = noRequests('other')
  /** Zones without an entry, and their requests since the last choice. */
  readonly #unnamed = new Map<string, { readonly name: string; recent: number }>()
  #requests = 0

  constructor(zonesMax: number = measureLimits.zonesMeasuredMax) {
    this.#zonesMax = zonesMax
  }

  /** @param status 0 without a response */
  add({ id, name }: { readonly id: string; readonly name: string }, status: number, action: string): void {
    if (++this.#requests % measureLimits.requestsPerChoice === 0) this.#choose()
    const counts = this.#countsOf(id, name)
    counts.recent++
    let classes = counts.byAction.get(action)
    if (classes === undefined) {
      classes = new Float64Array(statusClasses.length)
      counts.byAction.set(action, classes)
    }
    classes[Math.min(5, Math.floor(status / 100))]!++
  }

  *entries(): Generator<ZoneRequests, void, void> {
    for (const { zone, byAction } of [...this.#named.values(), this.#rest])
      for (const [action, classes] of byAction)
        for (const [at, requests] of classes.entries())
          if (requests > 0) yield { zone, status: statusClasses[at]!, action, requests }
  }

  #countsOf(id: string, name: string): Counts {
    const known = this.#named.get(id)
    if (known !== undefined) return known
    if (this.#named.size < this.#zonesMax) {
      const counts = noRequests(name)
      this.#named.set(id, counts)
      return counts
    }
    const waiting = this.#unnamed.get(id)
    if (waiting === undefined) this.#unnamed.set(id, { name, recent: 1 })
    else waiting.recent++
    return this.#rest
  }

  #choose(): void {
    const leaving = [...this.#named].sort(([, a], [, b]) => a.recent - b.recent)
    const entering = [...this.#unnamed].sort(([, a], [, b]) => b.recent - a.recent).slice(0, this.#zonesMax)
    for (const [at, [id, { name, recent }]] of entering.entries()) {
      const [leavingId, counts] = leaving[at]!
      if (recent <= 2 * counts.recent) break
      this.#named.delete(leavingId)
      addTo(this.#rest, counts)
      this.#named.set(id, noRequests(name))
    }
    for (const counts of this.#named.values()) counts.recent = 0
    this.#unnamed.clear()
  }
}

function addTo({ byAction }: Counts, leaving: Counts): void {
  for (const [action, classes] of leaving.byAction) {
    const sums = byAction.get(action)
    if (sums === undefined) byAction.set(action, classes)
    else for (const [at, requests] of classes.entries()) sums[at]! += requests
  }
}

function noRequests(zone: string): Counts {
  return { zone, byAction: new Map(), recent: 0 }
}
