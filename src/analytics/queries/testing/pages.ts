import assert from 'node:assert/strict'
import type { EventPosition } from '../../positions.ts'
import type { Answers, EventFilter } from '../../types.ts'
import { day } from './records.ts'

/** The positions of the events on all pages of a query. */
export async function allPages(
  answers: Answers,
  zone: string,
  filter: EventFilter,
  limit: number,
  range = day,
): Promise<EventPosition[]> {
  const found: EventPosition[] = []
  let from: { before?: EventPosition } = {}
  for (let pages = 0; pages < 1000; pages++) {
    const { events: page, next } = await answers.events(zone, { range, filter, limit, ...from })
    assert.ok(page.length <= limit)
    found.push(...page.map(({ position }) => position))
    if (next === undefined) return found
    from = { before: next }
  }
  throw new Error('the pages have no end')
}
