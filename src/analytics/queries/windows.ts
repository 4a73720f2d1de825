import type { EventPosition, TimeRange } from '../positions.ts'
import { minuteMs } from './rows.ts'

/** Searched first; each following window is four times as long, so that a page of a busy zone reads few rows. */
const firstWindowMs = 10 * minuteMs

interface Searched {
  readonly range: TimeRange
  readonly order: 'asc' | 'desc'
  /** The position of the last row of the page before. */
  readonly after?: EventPosition | undefined
}

/** The ranges in which rows are searched, one after the other. */
export function* windows({ range, order, after }: Searched): Generator<TimeRange, void> {
  let [sinceMs, untilMs] = [range.sinceMs, range.untilMs]
  if (after !== undefined && order === 'asc') sinceMs = Math.max(sinceMs, after.timeMs)
  if (after !== undefined && order === 'desc') untilMs = Math.min(untilMs, after.timeMs + 1)
  for (let length = firstWindowMs; sinceMs < untilMs; length *= 4) {
    const between =
      order === 'asc' ? Math.min(untilMs, sinceMs + length) : Math.max(sinceMs, untilMs - length)
    if (order === 'asc') {
      yield { sinceMs, untilMs: between }
      sinceMs = between
    } else {
      yield { sinceMs: between, untilMs }
      untilMs = between
    }
  }
}
