import { setImmediate } from 'node:timers/promises'
import type { DuckDBAppender, DuckDBConnection, DuckDBType } from '@duckdb/node-api'
import { RecordStoreError, type Rows } from '../port.ts'
import { type ColumnType, type TableName, tables } from '../tables.ts'
import type { DuckDB } from './load.ts'
import { VectorFiller } from './vectors.ts'

/** A column of a table in the file, in its order: columns that were added to it later are the last ones there. */
interface FileColumn {
  readonly type: ColumnType
  /** Its index in `Rows`. */
  readonly at: number
}

/** Appends rows in the transaction of a connection, as data chunks of the engine. */
export class RowAppender {
  readonly #duckdb: DuckDB
  readonly #connection: DuckDBConnection
  readonly #columns: ReadonlyMap<string, readonly FileColumn[]>
  readonly #filler: VectorFiller

  private constructor(
    duckdb: DuckDB,
    connection: DuckDBConnection,
    columns: ReadonlyMap<string, readonly FileColumn[]>,
  ) {
    this.#duckdb = duckdb
    this.#connection = connection
    this.#columns = columns
    this.#filler = new VectorFiller(duckdb.bindings)
  }

  /** @param connection to a file with all tables */
  static async open(duckdb: DuckDB, connection: DuckDBConnection): Promise<RowAppender> {
    const columns = new Map<string, readonly FileColumn[]>()
    for (const table of Object.keys(tables))
      columns.set(table, await columnsInFile(connection, table as TableName))
    return new RowAppender(duckdb, connection, columns)
  }

  /** Other work of the thread runs between chunks. */
  async append(rows: Rows): Promise<void> {
    const appender = await this.#connection.createAppender(rows.table)
    try {
      await this.#appendTo(appender, rows)
      appender.closeSync()
    } catch (error) {
      // It would append what it still has when it is collected, which is after the transaction.
      appender.clear()
      throw error
    }
  }

  async #appendTo(appender: DuckDBAppender, { table, count, columns }: Rows): Promise<void> {
    const order = this.#columns.get(table)!
    const { bindings, DuckDBDataChunk } = this.#duckdb
    const chunk = DuckDBDataChunk.create(order.map(({ type }) => engineType(this.#duckdb, type)))
    const most = bindings.vector_size()
    for (let from = 0; from < count; from += most) {
      const to = Math.min(from + most, count)
      chunk.reset()
      for (const [index, { type, at }] of order.entries()) {
        const vector = bindings.data_chunk_get_vector(chunk.chunk, index)
        this.#filler.fill(vector, type, columns[at]!.slice(from, to))
      }
      chunk.rowCount = to - from
      appender.appendDataChunk(chunk)
      appender.flushSync()
      await setImmediate()
    }
  }
}

async function columnsInFile(connection: DuckDBConnection, table: TableName): Promise<readonly FileColumn[]> {
  const { columns } = tables[table]
  const reader = await connection.runAndReadAll(
    'select column_name from duckdb_columns() where table_name = $1 and not internal order by column_index',
    [table],
  )
  return reader.getRowsJS().map(([name]) => {
    const at = columns.findIndex(column => column.name === name)
    if (at < 0)
      throw new RecordStoreError(
        'newer',
        `the table ${table} has a column ${name} that this program does not know`,
      )
    return { at, type: columns[at]!.type }
  })
}

function engineType(
  { VARCHAR, BIGINT, DOUBLE, BOOLEAN, TIMESTAMP, TIMESTAMP_NS, LIST }: DuckDB,
  type: ColumnType,
): DuckDBType {
  const types: { readonly [T in ColumnType]: DuckDBType } = {
    text: VARCHAR,
    json: VARCHAR,
    int: BIGINT,
    float: DOUBLE,
    bool: BOOLEAN,
    ms: TIMESTAMP,
    ns: TIMESTAMP_NS,
    texts: LIST(VARCHAR),
    ints: LIST(BIGINT),
  }
  return types[type]
}
