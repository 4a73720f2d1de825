/** Time as an argument, so that modules without I/O and tests can use their own clock. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number
}

export const systemClock: Clock = { nowMs: () => Date.now() }

/** ISO 8601 in UTC with microseconds and Z, the form of every time that the API shows. */
export function timestampOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -1)}000Z`
}

export interface Backoff {
  readonly firstMs: number
  readonly longestMs: number
}

/**
 * The delay before the next attempt, in ms. Doubles from the first to the longest. A quarter of jitter either way
 * keeps many processes from returning to a server in step.
 * @param failures so far, from 1
 */
export function backoffMs({ firstMs, longestMs }: Backoff, failures: number): number {
  const ms = Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 20))
  return ms * (0.75 + Math.random() * 0.5)
}
