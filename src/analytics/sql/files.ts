import { join } from 'node:path'

/** The exported rows of a table. */
export function fileOf(folder: string, table: string): string {
  return join(folder, `${table}.parquet`)
}

/** The answer of a statement as Parquet. */
export function resultOf(folder: string): string {
  return join(folder, 'result.parquet')
}
