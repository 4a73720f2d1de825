import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { analyticsLimits } from '../../limits.ts'
import type { Batch, Position, RecordStore, Selection } from '../port.ts'
import { countOf, exported } from '../selection.ts'
import type { Sql } from '../sql.ts'
import { tables } from '../tables.ts'
import { asked, type ClickHouseServer, connect, rowsOf } from './connect.ts'
import { cutRows, insertRows, onceAs } from './insert.ts'
import { asClickHouse } from './query.ts'
import { prepareTables } from './schema.ts'

/**
 * Opens the tables on a ClickHouse server. Any number of processes may read them and append to them: of two that append
 * the same records, one does.
 * @param ageMs the server removes rows that are older
 * @param mayReplace whether tables of an older version are replaced; at most one process may do so at a time
 * @throws RecordStoreError
 */
export async function openClickHouseStore(
  server: ClickHouseServer,
  ageMs: number,
  mayReplace: () => boolean,
): Promise<RecordStore> {
  const client = await connect(server)
  try {
    await prepareTables(client, ageMs, mayReplace)
    return new ClickHouseStore(client)
  } catch (error) {
    await client.close()
    throw error
  }
}

/** A row of `positions`; the one with the highest version is in force. */
interface PositionRow extends Required<Position> {
  readonly version: number
}

const start: PositionRow = { sequence: 0, missing: 0, begun: 0, version: 0 }

/**
 * The server has no transactions over tables. A batch is appended exactly once by three steps: a row says where it ends,
 * then its rows are inserted with a deduplication token, then a row says that it has ended. After a failure, the next
 * batch is cut where the begun one was to end, and the server leaves out what it already has.
 */
class ClickHouseStore implements RecordStore {
  readonly #client: ClickHouseClient

  constructor(client: ClickHouseClient) {
    this.#client = client
  }

  async position(partition: string): Promise<Position> {
    const { sequence, missing, begun } = await this.#position(partition)
    return begun > sequence ? { sequence, missing, begun } : { sequence, missing }
  }

  async append(batch: Batch): Promise<boolean> {
    const { partition, after, last } = batch
    const position = await this.#position(partition)
    if (position.sequence !== after || position.begun > last) return false
    const end = position.begun > after ? position.begun : last
    const parts = batch.tables.map(rows => cutRows(rows, end))
    const head = { ...batch, last: end, tables: parts.map(([rows]) => rows) }
    const ended = await this.#appendPart(head, position)
    if (ended === undefined || end === last) return ended !== undefined
    const rest = { ...batch, after: end, missing: 0, tables: parts.map(([, rows]) => rows) }
    return (await this.#appendPart(rest, ended)) !== undefined
  }

  async rows<Row>(query: Sql): Promise<readonly Row[]> {
    const answer = this.#client.query({
      ...asClickHouse(query),
      format: 'JSONEachRow',
      clickhouse_settings: { max_execution_time: analyticsLimits.queryMsMax / 1000 },
    })
    return asked(answer.then(rows => rows.json<Row>()))
  }

  async exportRows(selection: Selection, path: string): Promise<number> {
    const [counted] = await this.rows<{ n: number }>(countOf(selection))
    if (counted!.n > selection.rowsMax) return counted!.n
    const { query, query_params } = asClickHouse(exported(selection))
    const { stream } = await asked(
      this.#client.exec({
        query: `${query} format Parquet`,
        query_params,
        clickhouse_settings: {
          max_execution_time: analyticsLimits.queryMsMax / 1000,
          // Otherwise an error in a late row would follow the beginning of the file, with the status of a success.
          wait_end_of_query: 1,
        },
      }),
    )
    await asked(pipeline(stream, createWriteStream(path)))
    return counted!.n
  }

  /**
   * Rows and their bytes go together, when the server has written the rest of their day again. A lightweight delete would
   * free nothing until a merge, and the caller would remove ever more.
   */
  async removeBefore(ms: number): Promise<void> {
    const query_params = { ms: Math.floor(ms) }
    // It may take longer than a statement waits.
    if (await this.#isRemoving()) return
    for (const table of Object.keys(tables)) {
      const days = await rowsOf<{ id: string }>(
        this.#client,
        `select distinct partition_id as id from system.parts
          where database = currentDatabase() and table = {table:String} and active
            and partition_id < formatDateTime(fromUnixTimestamp64Milli({ms:Int64}, 'UTC'), '%Y%m%d')`,
        { ...query_params, table },
      )
      for (const { id } of days) await this.#run(`alter table ${table} drop partition id {id:String}`, { id })
      await this.#run(
        `alter table ${table} delete where time < fromUnixTimestamp64Milli({ms:Int64}) settings mutations_sync = 1`,
        query_params,
      )
    }
  }

  /** The tables have a TTL. Positions that are no longer in force have none. */
  async expire(): Promise<void> {
    await this.#run(
      `delete from positions where (partition, version) not in
        (select partition, max(version) from positions group by partition) settings lightweight_deletes_sync = 2`,
    )
  }

  async usedBytes(): Promise<number> {
    const [used] = await rowsOf<{ bytes: number }>(
      this.#client,
      `select sum(total_bytes) as bytes from system.tables
        where database = currentDatabase() and name in {names:Array(String)}`,
      { names: Object.keys(tables) },
    )
    return used!.bytes
  }

  async close(): Promise<void> {
    await this.#client.close()
  }

  /** One that fails does not count, so that the next one reports why. */
  async #isRemoving(): Promise<boolean> {
    const [mutations] = await rowsOf<{ n: number }>(
      this.#client,
      `select count(*) as n from system.mutations where database = currentDatabase()
        and table in {names:Array(String)} and not is_done and latest_fail_reason = ''`,
      { names: Object.keys(tables) },
    )
    return mutations!.n > 0
  }

  /** @param version in force then; without one, the latest */
  async #position(partition: string, version = Number.MAX_SAFE_INTEGER): Promise<PositionRow> {
    const [row] = await rowsOf<PositionRow>(
      this.#client,
      `select sequence, missing, begun, version from positions
        where partition = {partition:String} and version <= {version:Int64} order by version desc limit 1`,
      { partition, version },
    )
    return row ?? start
  }

  /** @returns the position after the part; undefined when another process has appended meanwhile */
  async #appendPart(part: Batch, position: PositionRow): Promise<PositionRow | undefined> {
    const { partition, after, last } = part
    const stored = part.tables.filter(({ count }) => count > 0)
    const isBegun = stored.length === 0 || position.begun === last
    const begun = isBegun ? position : await this.#move(partition, { ...position, begun: last })
    if (begun === undefined) return undefined
    const token = `${partition} ${after} ${last}`
    await Promise.all(stored.map(rows => insertRows(this.#client, rows, token)))
    const missing = position.missing + part.missing
    return this.#move(partition, { ...begun, sequence: last, begun: last, missing })
  }

  /**
   * Brings the next version in force. Of several processes that insert the same version, the server keeps the first row.
   * @returns undefined when that row is another
   */
  async #move(partition: string, position: PositionRow): Promise<PositionRow | undefined> {
    const next = { ...position, version: position.version + 1 }
    await asked(
      this.#client.insert({
        table: 'positions',
        values: [{ partition, ...next }],
        format: 'JSONEachRow',
        clickhouse_settings: onceAs(`${partition} ${next.version}`),
      }),
    )
    const { sequence, begun, missing, version } = await this.#position(partition, next.version)
    const isOwn =
      version === next.version &&
      sequence === next.sequence &&
      begun === next.begun &&
      missing === next.missing
    return isOwn ? next : undefined
  }

  async #run(query: string, query_params: Record<string, unknown> = {}): Promise<void> {
    await asked(this.#client.command({ query, query_params }))
  }
}
