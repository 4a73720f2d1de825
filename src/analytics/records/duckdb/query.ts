import type { DuckDBType, DuckDBValue } from '@duckdb/node-api'
import type { Sql, SqlValue } from '../sql.ts'
import type { DuckDB } from './load.ts'

/** The query with numbered parameters. Each has a type: whole numbers would be 128 bits wide, and slow to compute with. */
export function asDuckDB(
  duckdb: DuckDB,
  { texts, values }: Sql,
): { readonly text: string; readonly values: DuckDBValue[]; readonly types: DuckDBType[] } {
  const text = texts.reduce((all, part, at) => `${all}$${at}${part}`)
  const bound = values.map(value => boundTo(duckdb, value))
  return { text, values: bound.map(([value]) => value), types: bound.map(([, type]) => type) }
}

function boundTo(duckdb: DuckDB, value: SqlValue): [DuckDBValue, DuckDBType] {
  switch (typeof value) {
    case 'number':
      return Number.isSafeInteger(value) ? [BigInt(value), duckdb.BIGINT] : [value, duckdb.DOUBLE]
    case 'bigint':
      return [value, duckdb.BIGINT]
    case 'boolean':
      return [value, duckdb.BOOLEAN]
    case 'string':
      return [value, duckdb.VARCHAR]
    default:
      return [new duckdb.DuckDBListValue(value), duckdb.LIST(duckdb.VARCHAR)]
  }
}

/** Counts and sums are wider in DuckDB than numbers; records bound them. */
export function asNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(asNumbers)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asNumbers(one)]))
}
