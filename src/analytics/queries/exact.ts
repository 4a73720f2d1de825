import type { SQLInputValue } from 'node:sqlite'
import { analyticsLimits } from '../limits.ts'
import type { TimeRange } from '../positions.ts'
import { minuteMs } from '../schema.ts'
import type { Dimension, EventFilter } from '../types.ts'
import { type Conditions, conditionsOf } from './filter.ts'
import { minutesOf, type Reader } from './reader.ts'

/** Columns of `events` by dimension. */
const columns: { readonly [D in Exclude<Dimension, 'matched_rule'> | 'action']: string } = {
  action: 'action',
  rule: 'rule',
  path: 'path',
  client: 'client',
  country: 'country',
  user_agent: 'agent',
  host: 'host',
}

/** The filter of events, as SQL with numbered parameters that follow those of the query itself. */
export interface Passing {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
}

/** Parameters before those of the filter: zone, start and end of the range, and three that vary. */
const ownParameters = 6

const everything: Passing = { sql: 'true', values: [] }

/** @returns undefined when no event can pass */
export function passing(filter: EventFilter, reader: Reader): Passing | undefined {
  if (isEmpty(filter)) return everything
  const conditions = conditionsOf(filter, reader)
  if (conditions === undefined) return undefined
  const { sql, values, index }: Conditions = conditions
  const whole = index === undefined ? sql : `${index.column} = ? and ${sql}`
  let number = ownParameters
  return {
    sql: whole.replace(/\?/g, () => `?${++number}`),
    values: index === undefined ? values : [index.value, ...values],
  }
}

export function isEmpty(filter: EventFilter): boolean {
  return Object.keys(filter).length === 0
}

/** Whether all events of a range still exist, and are few enough to count one by one. */
export function countsExactly(reader: Reader, zone: number, range: TimeRange): boolean {
  return (
    range.sinceMs >= reader.eventsSinceMs() && reader.eventsIn(zone, range) <= analyticsLimits.exactEventsMax
  )
}

/** The newest part of a range, in whole minutes, whose events are few enough to examine each. */
export function newestPart(reader: Reader, zone: number, range: TimeRange): TimeRange {
  const rows = reader.all<{ minute: number; n: number }>(
    `select minute, sum(count) as n from actions where zone = ? and minute >= ? and minute < ? and kind = 1
     group by minute order by minute desc`,
    zone,
    ...minutesOf(range),
  )
  let left = analyticsLimits.exactEventsMax
  const tooMany = rows.find(({ n }) => {
    left -= n
    return left < 0
  })
  // One minute is examined, however many events it has.
  const first = tooMany === undefined ? undefined : Math.min(tooMany.minute + 1, rows[0]!.minute)
  const sinceMs = Math.max(range.sinceMs, reader.eventsSinceMs(), (first ?? 0) * minuteMs)
  return { sinceMs: Math.min(sinceMs, range.untilMs), untilMs: range.untilMs }
}

/**
 * SQL of the events of zone ?1 from ?2 (inclusive) to ?3 (exclusive) that match: `time`, `held` and their `value`. An
 * event has a row for each of its matched rules.
 */
export function eventValues(by: Dimension | 'action', { sql }: Passing): string {
  const where = `where zone = ?1 and time >= ?2 and time < ?3 and ${sql}`
  if (by !== 'matched_rule') return `select time, held, ${columns[by]} as value from events ${where}`
  // Filtered first: json_each has columns too, among them `path`.
  return `select time, held, each.value as value
    from (select time, held, rules from events ${where}) as passed,
      json_each('[' || trim(passed.rules, ',') || ']') as each`
}

/** The bound parameters of a query and its filter. */
export function boundTo(own: readonly SQLInputValue[], { values }: Passing): readonly SQLInputValue[] {
  return values.length === 0
    ? own
    : [...own, ...new Array<null>(ownParameters - own.length).fill(null), ...values]
}
