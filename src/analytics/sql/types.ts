import type { TimeRange } from '../positions.ts'
import type { SqlColumn, SqlFormat } from './protocol.ts'

export interface SqlQuery {
  /** One SELECT of DuckDB's SQL; the tables have only rows of the account and the range. */
  readonly text: string
  readonly account: string
  readonly range: TimeRange
  readonly format: SqlFormat
  readonly rowsMax: number
}

export type SqlAnswer =
  | {
      readonly columns: readonly SqlColumn[]
      /** Values as JSON: times and whole numbers beyond 2^53 are texts. */
      readonly rows: readonly (readonly unknown[])[]
      /** Whether the statement has more rows than asked. */
      readonly more: boolean
    }
  /** A Parquet file. */
  | { readonly path: string }
