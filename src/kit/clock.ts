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
