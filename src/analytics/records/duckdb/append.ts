import type { DuckDBConnection, DuckDBType, DuckDBValue } from '@duckdb/node-api'
import type { Rows, Value } from '../port.ts'
import { type ColumnType, tables } from '../tables.ts'
import { type DuckDB, loadDuckDB } from './load.ts'

/** Rows of a chunk, the unit in which DuckDB takes values. */
const chunkRows = 2048

/** Appends the rows in the transaction of the connection. */
export async function appendRows(
  connection: DuckDBConnection,
  { table, count, columns }: Rows,
): Promise<void> {
  const duckdb = await loadDuckDB()
  const types = tables[table].columns.map(({ type }) => typeOf(duckdb, type))
  const convert = tables[table].columns.map(({ type }) => converterOf(duckdb, type))
  const appender = await connection.createAppender(table)
  for (let start = 0; start < count; start += chunkRows) {
    const rows = Math.min(chunkRows, count - start)
    const chunk = duckdb.DuckDBDataChunk.create(types, rows)
    for (const [at, values] of columns.entries()) {
      const part = start === 0 && rows === count ? values : values.slice(start, start + rows)
      chunk.setColumnValues(at, part.map(convert[at]!))
    }
    appender.appendDataChunk(chunk)
  }
  appender.closeSync()
}

function typeOf(duckdb: DuckDB, type: ColumnType): DuckDBType {
  switch (type) {
    case 'text':
    case 'json':
      return duckdb.VARCHAR
    case 'int':
      return duckdb.BIGINT
    case 'float':
      return duckdb.DOUBLE
    case 'bool':
      return duckdb.BOOLEAN
    case 'ms':
      return duckdb.TIMESTAMP
    case 'ns':
      return duckdb.TIMESTAMP_NS
    case 'texts':
      return duckdb.LIST(duckdb.VARCHAR)
    case 'ints':
      return duckdb.LIST(duckdb.BIGINT)
  }
}

function converterOf(duckdb: DuckDB, type: ColumnType): (value: Value) => DuckDBValue {
  switch (type) {
    case 'int':
      return value => BigInt(value as number)
    case 'ms':
      return value => new duckdb.DuckDBTimestampValue(BigInt(value as number) * 1000n)
    case 'ns':
      return value => new duckdb.DuckDBTimestampNanosecondsValue(value as bigint)
    case 'texts':
      return value => new duckdb.DuckDBListValue(value as readonly string[])
    case 'ints':
      return value => new duckdb.DuckDBListValue((value as readonly number[]).map(BigInt))
    default:
      return value => value as DuckDBValue
  }
}
