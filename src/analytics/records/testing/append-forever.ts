import { requestRecord } from '../../testing/fill.ts'
import { openDuckDBStore } from '../duckdb/store.ts'
import { batchOf } from './suite.ts'

/** Appends batches of ten records to the file in the first argument until it is killed, and prints each stored position. */
const store = await openDuckDBStore(process.argv[2]!)
const records = Array.from({ length: 10 }, (_, n) => requestRecord(Date.UTC(2026, 0, 2) + n))
for (let after = 0; ; after += records.length) {
  const batch = batchOf(records, after)
  await store.append(batch)
  process.stdout.write(`${batch.last}\n`)
}
