import type { CheckedNode } from '../../logfilter/index.ts'
import type { DatasetField, LogRecord } from '../../model/dataset.ts'
import type { EventPosition, TimeRange } from '../positions.ts'
import { minuteMs, rowsOf } from '../questions/rows.ts'
import type { RecordStore } from '../records/port.ts'
import { joined, type Sql, sql, trusted } from '../records/sql.ts'
import { type ColumnType, type Table, tables } from '../records/tables.ts'
import { conditionOf } from './condition.ts'

/** Datasets whose records can be searched. */
export const searchedDatasets = ['http_requests', 'firewall_events'] as const

export interface SearchQuestion {
  readonly dataset: (typeof searchedDatasets)[number]
  readonly range: TimeRange
  /** Checked against the dataset; without it, every record passes. */
  readonly filter?: CheckedNode
  /** Of the dataset; the records have these fields, in this order. */
  readonly fields: readonly DatasetField[]
  /** By time: the oldest or the newest records first. */
  readonly order: 'asc' | 'desc'
  readonly limit: number
  /** The position of the last record of the page before. */
  readonly after?: EventPosition
}

export interface SearchPage {
  /** Times are digits of nanoseconds; fields that no record has are left out. */
  readonly records: readonly LogRecord[]
  readonly next: EventPosition | undefined
}

/** Searched first; each following window is four times as long, so that a page of a busy zone reads few rows. */
const firstWindowMs = 10 * minuteMs

/** All records of a zone that pass, in pages; records that arrive meanwhile neither repeat nor hide others. */
export async function searchRecords(
  store: RecordStore,
  zoneId: string,
  question: SearchQuestion,
): Promise<SearchPage> {
  const { dataset, filter, limit, after } = question
  const passing = [afterCondition(question, after)]
  if (filter !== undefined) passing.push(conditionOf(filter, tables[dataset]))
  const found: Row[] = []
  for (const window of windows(question)) {
    const rows = sql`${rowsOf(dataset, zoneId, window)} and ${joined(passing, ' and ')}`
    // One more shows whether there is another page.
    found.push(...(await load(store, rows, question, limit + 1 - found.length)))
    if (found.length > limit) break
  }
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    records: shown.map(row => recordOf(row, question)),
    next: found.length > limit && last !== undefined ? { timeMs: last.ms, id: last.id } : undefined,
  }
}

function* windows({ range, order, after }: SearchQuestion): Generator<TimeRange, void> {
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

/** The windows begin at the time of the position. */
function afterCondition({ order }: SearchQuestion, after: EventPosition | undefined): Sql {
  if (after === undefined) return trusted('1 = 1')
  const beyond = trusted(order === 'asc' ? '>' : '<')
  return sql`(time ${beyond} fromUnixTimestamp64Milli(${after.timeMs}) or id ${beyond} ${after.id})`
}

/** Columns `f0`, `f1` … are the fields of the question. */
type Row = { readonly ms: number; readonly id: number } & LogRecord

function load(
  store: RecordStore,
  rows: Sql,
  question: SearchQuestion,
  limit: number,
): Promise<readonly Row[]> {
  const selected = columnsOf(question).map(({ name, type }, at) =>
    trusted(`, ${type === 'ns' ? `toString(toUnixTimestamp64Nano("${name}"))` : `"${name}"`} as f${at}`),
  )
  const by = trusted(`time ${question.order}, id ${question.order}`)
  return store.rows<Row>(
    sql`select toUnixTimestamp64Milli(time) as ms, id as id ${joined(selected, '')} ${rows} order by ${by} limit ${limit}`,
  )
}

function recordOf(row: Row, question: SearchQuestion): LogRecord {
  const record: Record<string, unknown> = {}
  for (const [at, { name, type }] of columnsOf(question).entries()) {
    const value = row[`f${at}`]
    if (type !== 'json') record[name] = value
    else if (value !== '') record[name] = JSON.parse(value as string)
  }
  return record
}

interface Selected {
  readonly name: string
  readonly type: ColumnType
}

function columnsOf({ dataset, fields }: SearchQuestion): readonly Selected[] {
  const table: Table = tables[dataset]
  return fields.flatMap(({ name }) => table.columns.find(column => column.name === name) ?? [])
}
