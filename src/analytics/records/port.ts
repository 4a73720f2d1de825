import type { Sql } from './sql.ts'
import type { TableName } from './tables.ts'

/**
 * Where every record is kept as columns: embedded DuckDB, or a server. The tables are those of `tables.ts`, and both
 * engines answer the same queries.
 */
export interface RecordStore {
  /** Where a partition of the record log is read next. */
  position(partition: string): Promise<Position>
  /**
   * Appends a batch exactly once: its end position is stored with its rows.
   * @returns false when the partition was read further in the meantime, or the batch ends before `Position.begun`. Ask
   *   for the position then
   */
  append(batch: Batch): Promise<boolean>
  /**
   * Answers a query without delaying `append`. Whole numbers are `number`, times are as the query converts them.
   * @throws RecordStoreError
   */
  rows<Row>(query: Sql): Promise<readonly Row[]>
  /**
   * Writes rows to a Parquet file, in no order: a sort would take memory that `append` needs. Times of nanoseconds as numbers of 64 bits, which all
   * readers have.
   * @returns how many; nothing is written when there are more than `rowsMax`
   * @throws RecordStoreError
   */
  exportRows(selection: Selection, path: string): Promise<number>
  /** Removes the rows of all tables from before a time, ms since the epoch. */
  removeBefore(ms: number): Promise<void>
  /** Removes rows that the retention ends for, from before a time; an engine may do so by itself, some hours later. */
  expire(ms: number): Promise<void>
  /** Bytes that the rows take. */
  usedBytes(): Promise<number>
  /** Ends running queries with an error, and the batch as usual. */
  close(): Promise<void>
}

/** Rows of a table that are exported. */
export interface Selection {
  readonly table: TableName
  /** `from … where …`. */
  readonly rows: Sql
  /** Names of columns of the table; at least one. */
  readonly columns: readonly string[]
  readonly rowsMax: number
}

/** Consecutive records of one partition. */
export interface Batch {
  readonly partition: string
  /** The partition was read up to here before. */
  readonly after: number
  /** The partition is read up to here now. */
  readonly last: number
  /** Records between the two that no longer exist. */
  readonly missing: number
  readonly tables: readonly Rows[]
}

/** Rows of one table. */
export interface Rows {
  readonly table: TableName
  readonly count: number
  /** For each column of the table, in its order, a value for each row; see `ColumnType`. */
  readonly columns: readonly (readonly Value[])[]
}

export type Value = string | number | bigint | boolean | readonly string[] | readonly number[]

export interface Position {
  /** Sequence of the last record that was read; 0 before the first. */
  readonly sequence: number
  /** Records that were gone before they were read. */
  readonly missing: number
  /** Some rows up to this sequence may be stored, of a batch that did not end: the next one must not end earlier. */
  readonly begun?: number
}

/** The store cannot be used. */
export class RecordStoreError extends Error {
  override readonly name = 'RecordStoreError'
  /**
   * - `unsupported`: this machine cannot run the engine.
   * - `busy`: another process has the file, or has to replace the tables.
   * - `newer`: a later version wrote the tables.
   * - `damaged`: the file is not what the engine wrote.
   * - `ended`: the engine has ended after a failure; the store has to be opened again.
   * - `slow`: the answer took too long.
   * - `failed`: the engine refused or failed.
   */
  readonly code: 'unsupported' | 'busy' | 'newer' | 'damaged' | 'ended' | 'slow' | 'failed'

  constructor(code: RecordStoreError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
