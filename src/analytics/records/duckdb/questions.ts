import type { DuckDBValue } from '@duckdb/node-api'
import type { Sql, SqlValue } from '../sql.ts'
import type { DuckDB } from './load.ts'

/** The question with numbered parameters. */
export function asDuckDB(
  duckdb: DuckDB,
  { texts, values }: Sql,
): { readonly text: string; readonly values: DuckDBValue[] } {
  const text = texts.reduce((all, part, at) => `${all}$${at}${part}`)
  return { text, values: values.map(value => bound(duckdb, value)) }
}

function bound({ DuckDBListValue }: DuckDB, value: SqlValue): DuckDBValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  return typeof value === 'object' ? new DuckDBListValue(value) : value
}

/** Counts and sums are wider in DuckDB than numbers; records bound them. */
export function asNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(asNumbers)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asNumbers(one)]))
}
