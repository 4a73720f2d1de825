import type { LogRecord } from '../../model/dataset.ts'
import { analyticsLimits } from '../limits.ts'
import type { EventPosition } from '../positions.ts'
import type { RecordStore } from '../records/port.ts'
import { type Sql, sql, trusted } from '../records/sql.ts'
import { tables } from '../records/tables.ts'
import type { EventPage, EventQuery, StoredEvent } from '../types.ts'
import { eventsOf } from './rows.ts'
import { windows } from './windows.ts'

/** Searches from the newest event on. */
export async function findEvents(
  store: RecordStore,
  zoneId: string,
  { range, filter, limit, before }: EventQuery,
): Promise<EventPage> {
  const found: StoredEvent[] = []
  for (const window of windows({ range, order: 'desc', after: before })) {
    const passing = sql`${eventsOf(zoneId, window, filter)} and ${earlierThan(before)}`
    // One more shows whether there is another page.
    found.push(...(await load(store, passing, 'desc', limit + 1 - found.length)))
    if (found.length > limit) break
  }
  const events = found.slice(0, limit)
  return { events, next: found.length > limit ? events.at(-1)?.position : undefined }
}

/** Later than the time of any record, and a time for every engine. */
const latestMs = Date.UTC(2200, 0, 1)

/** In the order of writing, which is the order of the rules. */
export function findRay(store: RecordStore, zoneId: string, ray: string): Promise<readonly StoredEvent[]> {
  const always = { sinceMs: 0, untilMs: latestMs }
  return load(store, eventsOf(zoneId, always, { ray }), 'asc', analyticsLimits.pageMax)
}

function earlierThan(before: EventPosition | undefined): Sql {
  if (before === undefined) return trusted('1 = 1')
  const { timeMs, id } = before
  return sql`(time < fromUnixTimestamp64Milli(${timeMs}) or id < ${id})`
}

/** Columns that are fields of records. */
const fields = tables.firewall_events.columns.filter(({ name }) => /^[A-Z]/.test(name) && name !== 'Datetime')
const fieldList = trusted(fields.map(({ name }) => `"${name}"`).join())

type EventRow = { readonly ms: number; readonly id: number } & LogRecord

async function load(
  store: RecordStore,
  events: Sql,
  order: 'asc' | 'desc',
  limit: number,
): Promise<readonly StoredEvent[]> {
  const by = trusted(`time ${order}, id ${order}`)
  const rows = await store.rows<EventRow>(
    sql`select toUnixTimestamp64Milli(time) as ms, id, ${fieldList} ${events} order by ${by} limit ${limit}`,
  )
  return rows.map(row => ({ position: { timeMs: row.ms, id: row.id }, fields: recordOf(row) }))
}

function recordOf(row: EventRow): LogRecord {
  const record: Record<string, unknown> = { Datetime: `${row.ms}000000` }
  for (const { name, type } of fields) {
    const value = row[name]
    if (type !== 'json') record[name] = value
    else if (value !== '') record[name] = JSON.parse(value as string)
  }
  return record
}
