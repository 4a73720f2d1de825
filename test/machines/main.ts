/**
 * Faults on several machines, which are network namespaces: `npm run machines -- [--seed N] [--minutes 3] [--rate 40]`.
 * Ends with 1 when requests stopped, a rule was off, or a line is missing or came twice.
 */
import { parseArgs } from 'node:util'
import { whyNoNetwork } from './network.ts'
import { run } from './run.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    minutes: { type: 'string', default: '3' },
    rate: { type: 'string', default: '40' },
  },
})
const why = whyNoNetwork()
if (why !== undefined) {
  console.log(`skipped: ${why}`)
  process.exit(0)
}
const problems = await run({
  seed: Number(values.seed),
  minutes: Number(values.minutes),
  perSecond: Number(values.rate),
  tell: line => console.log(line),
})
for (const problem of problems.slice(0, 40)) console.log(`  ${problem}`)
console.log(problems.length === 0 ? 'all good' : `${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)
