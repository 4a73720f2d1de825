import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Bench, openBench } from './bench.ts'
import { checkCases } from './cases/checks.ts'
import { destinationCases } from './cases/destinations.ts'
import { filterCases } from './cases/filters.ts'
import { generalCases } from './cases/general.ts'
import { instantCases } from './cases/instant.ts'
import { jobCases } from './cases/jobs.ts'
import { logpullCases, pulled } from './cases/logpull.ts'
import { outputCases } from './cases/output.ts'
import { runCase } from './run-case.ts'

/**
 * The known behaviour of Cloudflare's log APIs, case by case, from their documentation and their clients. Names begin
 * with the section of our description of them: 1 operations, 2 output, 3 destinations, 4 filters, 7 Instant Logs, 8
 * Logpull.
 */
const cases = [
  ...generalCases,
  ...jobCases,
  ...checkCases,
  ...outputCases,
  ...destinationCases,
  ...filterCases,
  ...instantCases,
  ...logpullCases,
]

let bench: Bench
before(async () => {
  bench = await openBench()
  await bench.write(pulled)
})
after(() => bench.close())

const rows = cases.flatMap(row =>
  (['account', 'zone'] as const)
    .filter(level => row.level === undefined || row.level === level)
    .map(level => ({ name: `${level}: ${row.name}`, row, level })),
)
for (const { name, row, level } of rows) test(name, () => runCase(bench, row, level))

test('every case has a unique name', () => {
  const names = rows.map(({ name }) => name)
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
})

const documented = join(import.meta.dirname, '..', '..', '..', 'shared', 'reference', 'datasets')
const skip = existsSync(documented) ? false : 'needs ../shared/reference/datasets'
for (const dataset of ['http_requests', 'firewall_events']) {
  test(`1.5 every documented field of ${dataset} is listed`, { skip }, async () => {
    const fields = JSON.parse(readFileSync(join(documented, `${dataset}.json`), 'utf8')) as readonly {
      readonly name: string
    }[]
    const answer = await bench.api.send('GET', `${bench.api.zonePath}/logpush/datasets/${dataset}/fields`)
    for (const { name } of fields) assert.equal(typeof answer.body.result[name], 'string', name)
  })
}
