import { requestRecord } from '../../testing/fill.ts'
import { openClickHouseStore } from '../clickhouse/store.ts'
import { openDuckDBStore } from '../duckdb/store.ts'
import { batchOf, keptMs } from './suite.ts'

/**
 * Appends batches of ten records until it is killed, and prints each stored position. The first argument is the path of
 * DuckDB's file, or the URL of a ClickHouse server.
 */
const target = process.argv[2]!
const store = await (target.startsWith('http')
  ? openClickHouseStore({ url: target }, keptMs, () => false)
  : openDuckDBStore(target))
const records = Array.from({ length: 10 }, (_, n) => requestRecord(Date.UTC(2026, 0, 2) + n))
for (let after = (await store.position('edge-1.0a')).sequence; ; after += records.length) {
  const batch = batchOf(records, after)
  await store.append(batch)
  process.stdout.write(`${batch.last}\n`)
}
