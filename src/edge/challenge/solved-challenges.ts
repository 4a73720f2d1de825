/** Tokens of solved challenges. When full, the oldest are forgotten, which are the next to expire. */
export class SolvedChallenges {
  readonly #max: number
  /** Token → time of expiry, seconds; in the order of their solution. */
  readonly #tokens = new Map<string, number>()

  constructor(max: number) {
    this.#max = max
  }

  /** @returns false when the token was already solved */
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
