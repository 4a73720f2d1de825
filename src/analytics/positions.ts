/** From `sinceMs` (inclusive) to `untilMs` (exclusive), ms since the epoch. */
export interface TimeRange {
  readonly sinceMs: number
  readonly untilMs: number
}

/** Position in the events of a zone, which are ordered by time. */
export interface EventPosition {
  readonly timeMs: number
  readonly id: number
}
