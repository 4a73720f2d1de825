import { recordFields } from '../../src/bus/index.ts'
import { type Rate, rateOf, rateTable } from '../support/rate.ts'
import { sampleRecords } from './exchange.ts'
import { encoderOf, filterOf, tenFields } from './lines.ts'

/** The work of a job for one record: with parsed records, then with the parsing, which all jobs share. */
const texts = sampleRecords(500)
const records = texts.map(recordFields)
const encode = encoderOf({ field_names: tenFields })
let kept = 0

const rows: [string, Rate][] = []
for (const operators of [1, 10, 30] as const) {
  const keep = filterOf(operators)
  const work = () => {
    for (let round = 0; round < 20; round++) for (const record of records) if (keep(record)) kept++
    return 20 * records.length
  }
  rows.push([`${operators} operator${operators === 1 ? '' : 's'}`, await rateOf(work)])
}
const parse = () => {
  for (const text of texts) if (recordFields(text) !== undefined) kept++
  return texts.length
}
rows.push(['parse alone', await rateOf(parse)])
const keep = filterOf(10)
const filterAndEncode = () => {
  for (const record of records) if (keep(record)) kept += encode(record).length
  return records.length
}
rows.push(['10 operators, 10 fields as NDJSON', await rateOf(filterAndEncode)])
const all = () => {
  for (const text of texts) {
    const record = recordFields(text)
    if (keep(record)) kept += Buffer.byteLength(encode(record))
  }
  return texts.length
}
rows.push(['the same with parsing, as UTF-8', await rateOf(all)])
console.log(rateTable('filter', rows))
if (kept === 0) throw new Error('nothing was kept')
