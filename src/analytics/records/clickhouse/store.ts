import type { ClickHouseClient } from '@clickhouse/client'
import { idBase, sequencesMax } from '../decode.ts'
import type { Batch, Position, RecordStore } from '../port.ts'
import type { Sql } from '../sql.ts'
import { tables } from '../tables.ts'
import { asked, type ClickHouseServer, connect } from './connect.ts'
import { cutRows, insertRows } from './insert.ts'
import { asClickHouse } from './questions.ts'
import { prepareTables } from './schema.ts'

/**
 * Opens the tables on a ClickHouse server. Several processes may read them; one at a time appends the batches of a
 * partition.
 * @throws RecordStoreError
 */
export async function openClickHouseStore(server: ClickHouseServer): Promise<RecordStore> {
  const client = await connect(server)
  try {
    await prepareTables(client)
    return new ClickHouseStore(client)
  } catch (error) {
    await client.close()
    throw error
  }
}

/** A row of `positions`; the one with the highest version is in force. */
interface PositionRow extends Position {
  /** A batch up to here has begun: any of its rows may be stored. Equals `sequence` when the batch has ended. */
  readonly begun: number
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
    const { sequence, missing } = await this.#position(partition)
    return { sequence, missing }
  }

  async append(batch: Batch): Promise<boolean> {
    const position = await this.#position(batch.partition)
    if (position.sequence !== batch.after) return false
    if (position.begun > batch.last) await this.#removeBegun(batch.partition, position)
    const end = position.begun > batch.after && position.begun < batch.last ? position.begun : batch.last
    const parts = batch.tables.map(rows => cutRows(rows, end))
    const ended = await this.#appendPart(
      { ...batch, last: end, tables: parts.map(([head]) => head) },
      position,
    )
    if (end === batch.last) return true
    await this.#appendPart({ ...batch, after: end, missing: 0, tables: parts.map(([, rest]) => rest) }, ended)
    return true
  }

  async rows<Row>(question: Sql): Promise<readonly Row[]> {
    const answer = this.#client.query({ ...asClickHouse(question), format: 'JSONEachRow' })
    return asked(answer.then(rows => rows.json<Row>()))
  }

  async removeBefore(ms: number): Promise<void> {
    const query_params = { ms: Math.floor(ms) }
    for (const table of Object.keys(tables)) {
      const days = await asked(
        this.#client
          .query({
            query: `select distinct partition_id as id from system.parts
              where database = currentDatabase() and table = {table:String} and active
                and max_time < toStartOfDay(fromUnixTimestamp64Milli({ms:Int64}, 'UTC'))`,
            query_params: { ...query_params, table },
            format: 'JSONEachRow',
          })
          .then(rows => rows.json<{ id: string }>()),
      )
      for (const { id } of days) await this.#run(`alter table ${table} drop partition id {id:String}`, { id })
      await this.#run(
        `delete from ${table} where time < fromUnixTimestamp64Milli({ms:Int64}) settings lightweight_deletes_sync = 2`,
        query_params,
      )
    }
    await this.#run(
      `delete from positions where (partition, version) not in
        (select partition, max(version) from positions group by partition) settings lightweight_deletes_sync = 2`,
    )
  }

  async usedBytes(): Promise<number> {
    const rows = await asked(
      this.#client.query({
        query: 'select sum(total_bytes) as bytes from system.tables where database = currentDatabase()',
        format: 'JSONEachRow',
      }),
    )
    return (await rows.json<{ bytes: number }>())[0]!.bytes
  }

  async close(): Promise<void> {
    await this.#client.close()
  }

  async #position(partition: string): Promise<PositionRow> {
    const rows = await asked(
      this.#client.query({
        query: `select sequence, missing, begun, version from positions where partition = {partition:String}
          order by version desc limit 1`,
        query_params: { partition },
        format: 'JSONEachRow',
      }),
    )
    return (await rows.json<PositionRow>())[0] ?? start
  }

  /** @returns the position after the part */
  async #appendPart(part: Batch, { missing, version }: PositionRow): Promise<PositionRow> {
    const { partition, after, last } = part
    const stored = part.tables.filter(({ count }) => count > 0)
    const begun = { sequence: after, missing, begun: last, version: version + 1 }
    if (stored.length > 0) await this.#move(partition, begun)
    const token = `${partition} ${after} ${last}`
    await Promise.all(stored.map(rows => insertRows(this.#client, rows, token)))
    const ended = { ...begun, sequence: last, missing: missing + part.missing, version: version + 2 }
    await this.#move(partition, ended)
    return ended
  }

  /**
   * A batch that is shorter than the begun one, because another program reads shorter batches: its rows are stored again.
   * No insert of the begun batch can still be running: the same program would repeat the whole batch.
   */
  async #removeBegun(partition: string, { sequence, begun }: PositionRow): Promise<void> {
    const base = idBase(partition)
    for (const table of Object.keys(tables))
      await this.#run(
        `delete from ${table} where id > {after:Int64} and id <= {last:Int64} settings lightweight_deletes_sync = 2`,
        { after: base + (sequence % sequencesMax), last: base + (begun % sequencesMax) },
      )
  }

  async #move(partition: string, position: PositionRow): Promise<void> {
    await asked(
      this.#client.insert({
        table: 'positions',
        values: [{ partition, ...position }],
        format: 'JSONEachRow',
        clickhouse_settings: { async_insert: 0, wait_end_of_query: 1 },
      }),
    )
  }

  async #run(query: string, query_params: Record<string, unknown> = {}): Promise<void> {
    await asked(this.#client.command({ query, query_params }))
  }
}
