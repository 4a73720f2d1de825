import { openLocalRecordLog } from '../../src/bus/index.ts'
import { logpushLimits } from '../../src/logpush/limits.ts'
import { once, type Rate, rateOf, rateTable } from '../support/rate.ts'
import { inFolder } from './delivering.ts'
import { sampleRecords } from './exchange.ts'

/** Records into the spool, flushed every thousand, and out of it in the slices of delivery. */
const records = sampleRecords(1000)

await inFolder(async folder => {
  const log = openLocalRecordLog(folder, () => {}, {
    sync: 'interval',
    bytes: 1024 * 1024 * 1024,
    full: 'drop-oldest',
    ageMs: 3_600_000,
  })
  const writer = await log.writer('bench')
  const write = async () => {
    for (const record of records) writer.append(record)
    await writer.flush()
    return records.length
  }
  const written = await rateOf(write)
  const reader = await log.reader()
  const limits = { records: logpushLimits.sliceRecords, bytes: logpushLimits.sliceBytes }
  let sequence = 0
  const read = async () => {
    const slice = await reader.read('bench', sequence, limits)
    sequence = slice.at(-1)?.sequence ?? 0
    return slice.length
  }
  // The first run also syncs the written data.
  await once(read, 100)
  const rows: [string, Rate][] = [
    ['write', written],
    ['read', await rateOf(read)],
  ]
  console.log(rateTable('spool', rows))
  await log.close()
})
