import type { TimeRange } from '../positions.ts'
import { joined, type Sql, sql, trusted } from '../records/sql.ts'
import type { TableName } from '../records/tables.ts'
import type { Dimension, EventFilter } from '../types.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs

/** The range extended to whole steps. */
export function wholeSteps({ sinceMs, untilMs }: TimeRange, stepMs: number): TimeRange {
  return { sinceMs: Math.floor(sinceMs / stepMs) * stepMs, untilMs: Math.ceil(untilMs / stepMs) * stepMs }
}

/** `from … where …` of the rows of a zone in a range. */
export function rowsOf(table: TableName, zoneId: string, range: TimeRange): Sql {
  return sql`from ${trusted(table)} where zone = ${zoneId} and ${between(range)}`
}

export function between({ sinceMs, untilMs }: TimeRange): Sql {
  return sql`time >= fromUnixTimestamp64Milli(${sinceMs}) and time < fromUnixTimestamp64Milli(${untilMs})`
}

/** Number of the step of a row, from 0. */
export function stepOf({ sinceMs }: TimeRange, stepMs: number): Sql {
  return sql`intDiv(toUnixTimestamp64Milli(time) - ${sinceMs}, ${stepMs})`
}

/** Sums of no rows are 0. Records may claim any amount; the bound keeps sums exact. */
export function exact(value: number): number {
  return Math.min(value, Number.MAX_SAFE_INTEGER)
}

const columns: { readonly [F in Exclude<keyof EventFilter, 'matchedRule'>]-?: string } = {
  action: '"Action"',
  source: '"Source"',
  rule: '"RuleID"',
  ray: '"RayID"',
  client: '"ClientIP"',
  country: '"ClientCountry"',
  path: '"ClientRequestPath"',
  method: '"ClientRequestMethod"',
  host: '"ClientRequestHost"',
  userAgent: '"ClientRequestUserAgent"',
}

/** Events of a zone in a range that pass a filter. */
export function eventsOf(zoneId: string, range: TimeRange, filter: EventFilter): Sql {
  const conditions = [rowsOf('firewall_events', zoneId, range)]
  for (const name of Object.keys(columns) as (keyof typeof columns)[]) {
    const wanted = filter[name]
    if (wanted !== undefined) conditions.push(sql`${trusted(columns[name])} = ${wanted}`)
  }
  if (filter.matchedRule !== undefined) conditions.push(sql`hasPrefix(rules, ${`${filter.matchedRule} `})`)
  return joined(conditions, ' and ')
}

const dimensionColumns: { readonly [D in Dimension | 'action']: string } = {
  action: columns.action,
  rule: columns.rule,
  matched_rule: 'arrayJoin(rules)',
  path: columns.path,
  client: columns.client,
  country: columns.country,
  user_agent: columns.userAgent,
  host: columns.host,
}

/** The value of an event; an event has a row for each of its matched rules. */
export function valueOfEvent(by: Dimension | 'action'): Sql {
  return trusted(dimensionColumns[by])
}

/** Name of a value: a matched rule is `<id> <ref>`. */
export function named(
  value: string,
  by: Dimension | 'action' | 'none',
): { readonly value: string; readonly ref: string } {
  return by === 'matched_rule' ? ruleNamed(value) : { value, ref: '' }
}

export function ruleNamed(text: string): { readonly value: string; readonly ref: string } {
  const [value = '', ref = ''] = text.split(' ', 2)
  return { value, ref }
}
