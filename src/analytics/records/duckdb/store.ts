import { mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { analyticsLimits } from '../../limits.ts'
import { type Batch, type Position, type RecordStore, RecordStoreError, type Selection } from '../port.ts'
import { countOf, exported } from '../selection.ts'
import { type Sql, sql, trusted } from '../sql.ts'
import { tables } from '../tables.ts'
import { RowAppender } from './append.ts'
import { storeError } from './errors.ts'
import { loadDuckDB } from './load.ts'
import { asDuckDB, asNumbers } from './query.ts'
import { prepareTables } from './schema.ts'
import { Turns } from './turns.ts'

/**
 * Opens the tables in a DuckDB file. Only one process can have it open, and in it only one thread. A batch is durable
 * when `append` has resolved.
 * @param path of the file; its folder is created, and only the owner may enter it, because records hold personal data
 * @throws RecordStoreError
 */
export async function openDuckDBStore(path: string): Promise<RecordStore> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const instance = await openInstance(path)
  const writer = await instance.connect()
  try {
    await prepareTables(writer)
    const readers = await Promise.all(
      Array.from({ length: analyticsLimits.queriesAtOnce }, () => instance.connect()),
    )
    const appender = await RowAppender.open(await loadDuckDB(), writer)
    return new DuckDBStore(path, instance, writer, appender, readers)
  } catch (error) {
    closeAll(instance, [writer])
    throw storeError(error, `${path} cannot be opened`)
  }
}

/** An open connection would keep the file open, and a file that is opened twice in one process is damaged. */
function closeAll(instance: DuckDBInstance, connections: readonly DuckDBConnection[]): void {
  for (const connection of connections) connection.closeSync()
  instance.closeSync()
}

async function openInstance(path: string): Promise<DuckDBInstance> {
  const { DuckDBInstance } = await loadDuckDB()
  try {
    return await DuckDBInstance.create(path, {
      // A query runs in the thread of its connection, so that ingest and other queries have the other processors.
      threads: '1',
      memory_limit: `${analyticsLimits.engineMemoryMib}MiB`,
      temp_directory: join(dirname(path), 'temporary'),
      max_temp_directory_size: `${analyticsLimits.engineTemporaryMib}MiB`,
      // Only then an export can bound the bytes of its row groups, which are written from memory.
      preserve_insertion_order: 'false',
      checkpoint_threshold: `${analyticsLimits.checkpointMib}MiB`,
      // By default the allocator keeps some hundred MiB after a batch or a query.
      allocator_background_threads: 'true',
      allocator_flush_threshold: '1MiB',
      allocator_bulk_deallocation_flush_threshold: '1MiB',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
    })
  } catch (error) {
    throw storeError(error, `${path} cannot be opened`)
  }
}

class DuckDBStore implements RecordStore {
  readonly #path: string
  readonly #instance: DuckDBInstance
  readonly #writer: DuckDBConnection
  readonly #appender: RowAppender
  readonly #writing = new Turns([{}])
  readonly #exporting = new Turns([{}])
  readonly #readers: Turns<DuckDBConnection>
  #isClosed = false

  constructor(
    path: string,
    instance: DuckDBInstance,
    writer: DuckDBConnection,
    appender: RowAppender,
    readers: readonly DuckDBConnection[],
  ) {
    this.#path = path
    this.#instance = instance
    this.#writer = writer
    this.#appender = appender
    this.#readers = new Turns(readers)
  }

  position(partition: string): Promise<Position> {
    return this.#writing.take(() => this.#position(partition))
  }

  append(batch: Batch): Promise<boolean> {
    return this.#writing.take(() => this.#transact(() => this.#append(batch)))
  }

  rows<Row>(query: Sql): Promise<readonly Row[]> {
    return this.#readers.take(reader => {
      if (this.#isClosed) throw new RecordStoreError('failed', 'analytics are closed')
      return ask<Row>(reader, query)
    })
  }

  /** One at a time, so that a connection is left for queries. */
  exportRows(selection: Selection, path: string): Promise<number> {
    return this.#exporting.take(async () => {
      const [counted] = await this.rows<{ n: number }>(countOf(selection))
      if (counted!.n > selection.rowsMax) return counted!.n
      const target = trusted(`'${path.replaceAll("'", "''")}'`)
      const [written] = await this.rows<{ Count: number }>(
        sql`copy (${exported(selection)}) to ${target} (format parquet, row_group_size_bytes ${trusted(String(analyticsLimits.exportedGroupBytes))})`,
      )
      return written!.Count
    })
  }

  removeBefore(ms: number): Promise<void> {
    return this.#writing.take(async () => {
      await this.#transact(async () => {
        for (const table of Object.keys(tables))
          await this.#writer.run(`delete from ${table} where time < epoch_ms($1::bigint)`, [
            BigInt(Math.floor(ms)),
          ])
      })
      // Frees the blocks of the rows.
      await this.#writer.run('checkpoint')
    })
  }

  expire(ms: number): Promise<void> {
    return this.removeBefore(ms)
  }

  async usedBytes(): Promise<number> {
    // Not as a query, because ingest would wait for slow ones.
    const reader = await this.#writing.take(() =>
      this.#writer.runAndReadAll('select used_blocks * block_size as bytes from pragma_database_size()'),
    )
    const log = statSync(`${this.#path}.wal`, { throwIfNoEntry: false })
    return Number(reader.getRowsJS()[0]![0]) + (log?.size ?? 0)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    // Repeatedly, because a query that is about to run is not interrupted.
    const interrupt = () => this.#readers.things.forEach(reader => void reader.interrupt())
    const interrupting = setInterval(interrupt, 20)
    interrupt()
    await Promise.all([this.#writing.end(), this.#readers.end()])
    clearInterval(interrupting)
    closeAll(this.#instance, [this.#writer, ...this.#readers.things])
  }

  async #position(partition: string): Promise<Position> {
    const reader = await this.#writer.runAndReadAll(
      'select sequence, missing from positions where partition = $1',
      [partition],
    )
    const [row] = reader.getRowsJS()
    return row === undefined
      ? { sequence: 0, missing: 0 }
      : { sequence: Number(row[0]), missing: Number(row[1]) }
  }

  async #append({ partition, after, last, missing, tables }: Batch): Promise<boolean> {
    if ((await this.#position(partition)).sequence !== after) return false
    for (const rows of tables) await this.#appender.append(rows)
    await this.#writer.run(
      `insert into positions values ($1, $2, $3)
       on conflict do update set sequence = excluded.sequence, missing = missing + excluded.missing`,
      [partition, BigInt(last), BigInt(missing)],
    )
    return true
  }

  /** Commits all of it, or nothing if it throws. */
  async #transact<T>(work: () => Promise<T>): Promise<T> {
    await this.#writer.run('begin')
    try {
      const result = await work()
      await this.#writer.run('commit')
      return result
    } catch (error) {
      // A failed commit has ended the transaction.
      await this.#writer.run('rollback').catch(() => {})
      throw storeError(error)
    }
  }
}

/** @throws RecordStoreError `slow` when the answer takes longer than it may */
async function ask<Row>(reader: DuckDBConnection, query: Sql): Promise<readonly Row[]> {
  const { text, values, types } = asDuckDB(await loadDuckDB(), query)
  const { queryMsMax } = analyticsLimits
  let isSlow = false
  // Repeatedly, because a query that is about to run is not interrupted.
  const limit = setInterval(() => {
    isSlow = true
    reader.interrupt()
  }, queryMsMax)
  try {
    const answer = await reader.runAndReadAll(text, values, types)
    return answer.getRowObjectsJS().map(row => asNumbers(row) as Row)
  } catch (error) {
    if (!isSlow) throw storeError(error)
    const message = `the answer took longer than ${queryMsMax / 1000} s: ask for a shorter time`
    throw new RecordStoreError('slow', message, { cause: error })
  } finally {
    clearInterval(limit)
  }
}
