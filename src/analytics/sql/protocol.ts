import type { TableName } from '../records/tables.ts'

/** The parent's first message. */
export interface SqlTask {
  readonly text: string
  /** Where the sandbox finds `<table>.parquet`, and leaves `result.parquet`. */
  readonly folder: string
  readonly format: SqlFormat
  readonly rowsMax: number
  readonly msMax: number
  readonly bytesMax: number
  readonly fileBytesMax: number
  readonly engineMemoryMib: number
  readonly processMemoryMib: number
}

export type SqlFormat = 'json' | 'parquet'

/** Columns that the statement reads, by table. The parent answers with `exported` when their rows are in the folder. */
export type NeededColumns = { readonly [T in TableName]?: readonly string[] }

export type FromSandbox =
  | { readonly kind: 'needs'; readonly columns: NeededColumns }
  | {
      readonly kind: 'rows'
      readonly columns: readonly SqlColumn[]
      readonly rows: readonly (readonly unknown[])[]
      readonly more: boolean
    }
  | { readonly kind: 'file' }
  | { readonly kind: 'failed'; readonly code: SqlFailure; readonly message: string }

export interface SqlColumn {
  readonly name: string
  /** DuckDB's name of the type, such as `BIGINT`. */
  readonly type: string
}

/**
 * - `refused`: the text is not one statement that only reads, or names what is not there.
 * - `memory`, `time`, `size`: the statement exceeds a limit.
 * - `rows`: the range has more rows than a statement may read.
 * - `failed`: the store or the sandbox failed.
 */
export type SqlFailure = 'refused' | 'memory' | 'time' | 'size' | 'rows' | 'failed'

/** The message of `time`. */
export function tooLong(msMax: number): string {
  return `the statement takes longer than ${msMax / 1000} s`
}
