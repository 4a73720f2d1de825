import { bestOf, once, type Rate, rateTable } from '../support/rate.ts'
import { Delivering, inFolder } from './delivering.ts'
import { sampleRecords } from './exchange.ts'
import { allFields, tenFields } from './lines.ts'

/** Spool → filter → lines → gzip → objects in a folder: a job that begins a hundred thousand records behind. */
const recordCount = 100_000
const runs = 3
const filter = JSON.stringify({ where: { key: 'EdgeResponseStatus', operator: 'lt', value: 500 } })

async function deliver(field_names: readonly string[]): Promise<Rate> {
  let rate: Rate | undefined
  await inFolder(async folder => {
    const delivering = await Delivering.open(folder)
    const [zone] = await delivering.zones(1)
    const records = sampleRecords(2000, zone)
    await delivering.write(Array.from({ length: recordCount }, (_, i) => records[i % records.length]!))
    await delivering.job(zone!, 'job', { filter, outputOptions: { field_names: [...field_names] } })
    rate = await once(async () => {
      delivering.start()
      await delivering.delivered(recordCount)
      return recordCount
    })
    await delivering.close()
  })
  return rate!
}

const rows: [string, Rate][] = []
for (const fields of [tenFields, allFields]) {
  const rates: Rate[] = []
  for (let run = 0; run < runs; run++) rates.push(await deliver(fields))
  rows.push([`1 job, 1 operator, ${fields.length} fields`, bestOf(rates)])
}
console.log(rateTable('pipeline', rows))
