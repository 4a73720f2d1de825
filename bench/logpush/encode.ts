import { recordFields } from '../../src/bus/index.ts'
import { type Rate, rateOf, rateTable } from '../support/rate.ts'
import { sampleRecords } from './exchange.ts'
import { allFields, encoderOf, fortyFields, tenFields } from './lines.ts'

/** Lines of parsed records, laid out as UTF-8. */
const records = sampleRecords(500).map(recordFields)

const rows: [string, Rate, string][] = []
for (const output_type of ['ndjson', 'csv'])
  for (const field_names of [tenFields, fortyFields, allFields]) {
    const encode = encoderOf({ output_type, field_names })
    let bytes = 0
    const work = () => {
      bytes = 0
      for (const record of records) bytes += Buffer.byteLength(encode(record))
      return records.length
    }
    const rate = await rateOf(work)
    rows.push([`${output_type}, ${field_names.length} fields`, rate, (bytes / records.length).toFixed(0)])
  }
console.log(rateTable('encode', rows, ['bytes']))
