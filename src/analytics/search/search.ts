import { assert } from '../../kit/assert.ts'
import type { LogRecord } from '../../model/dataset.ts'
import { searchLimits } from '../limits.ts'
import type { EventPosition, TimeRange } from '../positions.ts'
import { rowsOf } from '../queries/rows.ts'
import { windows } from '../queries/windows.ts'
import type { RecordStore } from '../records/port.ts'
import { joined, type Sql, sql, trusted } from '../records/sql.ts'
import { type ColumnType, type Table, tables } from '../records/tables.ts'
import { conditionOf } from './condition.ts'
import { expressionCondition } from './expression.ts'
import type { SearchExport, SearchPage, SearchQuery } from './types.ts'

/** All records of a zone that pass, in pages; records that arrive meanwhile neither repeat nor hide others. */
export async function searchRecords(
  store: RecordStore,
  zoneId: string,
  query: SearchQuery,
): Promise<SearchPage> {
  const shown: LogRecord[] = []
  let bytes = 0
  let last: EventPosition | undefined
  // One more than the page holds shows whether there is another page.
  for await (const row of passingRows(store, zoneId, query)) {
    if (shown.length === query.limit || bytes >= searchLimits.pageBytes) return { records: shown, next: last }
    const record = recordOf(row, query)
    shown.push(record)
    bytes += JSON.stringify(record).length
    last = { timeMs: row.ms, id: row.id }
  }
  return { records: shown, next: undefined }
}

/**
 * Writes all records of a zone that pass to a Parquet file, in no order.
 * @returns how many; nothing is written when they are more than `rowsMax`
 */
export function exportRecords(
  store: RecordStore,
  zoneId: string,
  query: SearchExport,
  rowsMax: number,
  path: string,
): Promise<number> {
  const { dataset, range } = query
  const rows = rowsThatPass(zoneId, query, range)
  const columns = columnsOf(query).map(({ name }) => name)
  return store.exportRows(
    { table: dataset, rows, columns: columns.length === 0 ? ['time'] : columns, rowsMax },
    path,
  )
}

/** Read in parts, because a record can be large. */
async function* passingRows(
  store: RecordStore,
  zoneId: string,
  query: SearchQuery,
): AsyncGenerator<Row, void> {
  const partRows = Math.min(searchLimits.partRows, query.limit + 1)
  let { after } = query
  for (const window of windows(query)) {
    let part: readonly Row[]
    do {
      const rows = rowsThatPass(zoneId, query, window, afterCondition(query, after))
      part = await load(store, rows, query, partRows)
      yield* part
      const last = part.at(-1)
      if (last !== undefined) after = { timeMs: last.ms, id: last.id }
    } while (part.length === partRows)
  }
}

function rowsThatPass(
  zoneId: string,
  { dataset, filter, expression }: Pick<SearchExport, 'dataset' | 'filter' | 'expression'>,
  range: TimeRange,
  further: readonly Sql[] = [],
): Sql {
  const conditions = [rowsOf(dataset, zoneId, range)]
  if (filter !== undefined) conditions.push(conditionOf(filter, tables[dataset]))
  if (expression !== undefined) {
    const passes = expressionCondition(expression, dataset)
    assert(passes.ok, 'the expression was checked')
    conditions.push(passes.condition)
  }
  return joined([...conditions, ...further], ' and ')
}

function afterCondition({ order }: SearchQuery, after: EventPosition | undefined): readonly Sql[] {
  if (after === undefined) return []
  const beyond = trusted(order === 'asc' ? '>' : '<')
  const time = sql`fromUnixTimestamp64Milli(${after.timeMs})`
  return [sql`(time ${beyond} ${time} or time = ${time} and id ${beyond} ${after.id})`]
}

/** Columns `f0`, `f1` … are the fields of the query. */
type Row = { readonly ms: number; readonly id: number } & LogRecord

function load(store: RecordStore, rows: Sql, query: SearchQuery, limit: number): Promise<readonly Row[]> {
  const selected = columnsOf(query).map(({ name, type }, at) =>
    trusted(`, ${type === 'ns' ? `toString(toUnixTimestamp64Nano("${name}"))` : `"${name}"`} as f${at}`),
  )
  const by = trusted(`time ${query.order}, id ${query.order}`)
  return store.rows<Row>(
    sql`select toUnixTimestamp64Milli(time) as ms, id as id ${joined(selected, '')} ${rows} order by ${by} limit ${limit}`,
  )
}

function recordOf(row: Row, query: SearchQuery): LogRecord {
  const record: Record<string, unknown> = {}
  for (const [at, { name, type }] of columnsOf(query).entries()) {
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

function columnsOf({ dataset, fields }: Pick<SearchQuery, 'dataset' | 'fields'>): readonly Selected[] {
  const table: Table = tables[dataset]
  return fields.flatMap(({ name }) => table.columns.find(column => column.name === name) ?? [])
}
