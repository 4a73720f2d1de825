/**
 * A started product under load and changes: `npm run soak -- [--seed N] [--minutes 60] [--rate N] [--pin]`. Ends with 1
 * when a request or a change failed, a line is missing or came twice, or memory grew.
 */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { machineLine } from '../../bench/support/machine.ts'
import { withoutPebble } from '../support/pebble.ts'
import { chartOf } from './chart.ts'
import { soak } from './run.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string' },
    pin: { type: 'boolean', default: false },
    chart: { type: 'string' },
  },
})
if (withoutPebble) {
  console.log(`skipped: ${withoutPebble}`)
  process.exit(0)
}
console.log(machineLine())
const { samples, problems } = await soak({
  seed: Number(values.seed),
  minutes: Number(values.minutes),
  perSecond: values.rate === undefined ? undefined : Number(values.rate),
  pin: values.pin,
  tell: line => console.log(line),
})
if (values.chart !== undefined) await writeFile(values.chart, chartOf(samples))
for (const problem of problems.slice(0, 40)) console.log(`  ${problem}`)
console.log(problems.length === 0 ? 'all good' : `${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)
