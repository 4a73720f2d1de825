/** Tokens that were solved once already. Forgets the oldest when full; those are the next to expire anyway. */
export class SolvedChallenges {
  readonly #max: number
  /** Token → when it expires, seconds; in the order they were solved. */
  readonly #tokens = new Map<string, number>()

  constructor(max: number) {
    this.#max = max
  }

  /** @returns false when the token was solved before */
  add(token: string, expiresSec: number, nowSec: number): boolean {
    if (this.#tokens.has(token)) return false
    for (const [oldest, expires] of this.#tokens) {
      if (expires > nowSec && this.#tokens.size < this.#max) break
      this.#tokens.delete(oldest)
    }
    this.#tokens.set(token, expiresSec)
    return true
  }
}
