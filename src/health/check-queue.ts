import type { CheckedOrigin } from './checked-origin.ts'

/**
 * The origins that wait for their check, and the number of checks that run. The account with the fewest running checks
 * is next, and none has more than what remains free: unreachable origins of one account do not delay the others.
 */
export class CheckQueue {
  readonly #max: number
  /** By account; the one that waited longest for its turn comes first. */
  readonly #waiting = new Map<string, Set<CheckedOrigin>>()
  /** By account. */
  readonly #running = new Map<string, number>()
  #runningOfAll = 0

  /** @param max checks that run at the same time */
  constructor(max: number) {
    this.#max = max
  }

  add(origin: CheckedOrigin): void {
    const { accountId } = origin.pool
    const others = this.#waiting.get(accountId)
    if (others === undefined) this.#waiting.set(accountId, new Set([origin]))
    else others.add(origin)
  }

  delete(origin: CheckedOrigin): void {
    const { accountId } = origin.pool
    const others = this.#waiting.get(accountId)
    others?.delete(origin)
    if (others?.size === 0) this.#waiting.delete(accountId)
  }

  /** Takes an origin whose check may begin. The caller tells when it has ended. O(accounts that wait). */
  next(): { readonly origin: CheckedOrigin; readonly ended: () => void } | undefined {
    let next: string | undefined
    let fewest = this.#max - this.#runningOfAll
    for (const accountId of this.#waiting.keys()) {
      const running = this.#running.get(accountId) ?? 0
      if (running >= fewest) continue
      fewest = running
      next = accountId
    }
    if (next === undefined) return undefined
    const accountId = next
    const origins = this.#waiting.get(accountId)!
    const [origin] = origins
    origins.delete(origin!)
    this.#waiting.delete(accountId)
    if (origins.size > 0) this.#waiting.set(accountId, origins)
    this.#count(accountId, 1)
    return { origin: origin!, ended: () => this.#count(accountId, -1) }
  }

  #count(accountId: string, change: 1 | -1): void {
    this.#runningOfAll += change
    const running = (this.#running.get(accountId) ?? 0) + change
    if (running === 0) this.#running.delete(accountId)
    else this.#running.set(accountId, running)
  }
}
