import type { DuckDBConnection } from '@duckdb/node-api'
import type { SqlColumn, SqlTask } from './protocol.ts'

interface ReadRows {
  readonly columns: readonly SqlColumn[]
  readonly rows: readonly (readonly unknown[])[]
  /** Whether there are more rows than asked. */
  readonly more: boolean
}

/**
 * Runs a statement as far as its rows are asked. Whole numbers beyond 2^53 are texts, and so are times.
 * @throws SizeError
 */
export async function readRows(connection: DuckDBConnection, task: SqlTask): Promise<ReadRows> {
  const { text, rowsMax, bytesMax } = task
  const result = await connection.stream(text)
  const columns = result.columnNames().map((name, at) => ({ name, type: String(result.columnType(at)) }))
  const rows: (readonly unknown[])[] = []
  let bytes = 0
  for await (const chunk of result.yieldRowsJson())
    for (const row of chunk) {
      if (rows.length === rowsMax) return { columns, rows, more: true }
      bytes += JSON.stringify(row).length
      if (bytes > bytesMax) throw new SizeError(bytesMax)
      rows.push(row.map((value, at) => numberOf(value, columns[at]!)))
    }
  return { columns, rows, more: false }
}

/** The answer has more bytes than it may. */
export class SizeError extends Error {
  constructor(bytesMax: number) {
    super(`the answer has more than ${bytesMax} bytes; select fewer columns or rows, or ask for Parquet`)
  }
}

const wholeNumbers = new Set(['BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT'])

/** DuckDB's JSON form has all numbers of 64 bits as texts. */
function numberOf(value: unknown, { type }: SqlColumn): unknown {
  if (typeof value !== 'string' || !wholeNumbers.has(type)) return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
