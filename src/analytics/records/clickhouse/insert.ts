import { Readable } from 'node:stream'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { sequencesOfPartition } from '../decode.ts'
import type { Rows, Value } from '../port.ts'
import { tables } from '../tables.ts'
import { asked } from './connect.ts'

/**
 * Inserts rows, or nothing of them that an insert with the same token has inserted before: the server keeps the token of
 * every part, so a repeated insert adds what is missing.
 */
export async function insertRows(client: ClickHouseClient, rows: Rows, token: string): Promise<void> {
  const { columns } = tables[rows.table]
  const names = columns.map(({ name }) => `"${name}"`).join()
  const body = JSON.stringify(rows.columns, (_, value) => jsonValue(value))
  const { stream } = await asked(
    client.exec({
      query: `insert into ${rows.table} (${names}) format JSONCompactColumns`,
      values: Readable.from([body], { objectMode: false }),
      clickhouse_settings: {
        ...onceAs(token),
        // Records may be of any day that is kept.
        max_partitions_per_insert_block: '0',
      },
    }),
  )
  stream.resume()
}

/** Settings of an insert that stores nothing of what one with the same token has stored, and answers when it is stored. */
export function onceAs(token: string): ClickHouseSettings {
  return { insert_deduplicate: 1, insert_deduplication_token: token, async_insert: 0, wait_end_of_query: 1 }
}

declare global {
  /** In Node since 21, and not yet in TypeScript's library. */
  interface JSON {
    rawJSON(text: string): unknown
  }
}

/** Times are numbers of their units. The server refuses lone surrogates. */
function jsonValue(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  return typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value
}

/** The rows of records up to a sequence, and the rows after it; rows are in the order of their sequences. */
export function cutRows(rows: Rows, sequence: number): readonly [Rows, Rows] {
  const at = tables[rows.table].columns.findIndex(({ name }) => name === 'id')
  const ids = rows.columns[at] as readonly number[]
  const after = ids.findIndex(id => id % sequencesOfPartition > sequence % sequencesOfPartition)
  const end = after === -1 ? rows.count : after
  const part = (values: readonly Value[], from: number, to: number) => values.slice(from, to)
  return [
    { ...rows, count: end, columns: rows.columns.map(values => part(values, 0, end)) },
    { ...rows, count: rows.count - end, columns: rows.columns.map(values => part(values, end, rows.count)) },
  ]
}
