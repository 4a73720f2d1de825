import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { api, discard, startSluice, testCrs } from '../../test/support/sluice.ts'
import { providerFixtures, withoutTofu } from '../../test/support/tofu-programs.ts'
import { type Fixture, readFixtures } from './fixtures.ts'
import { knownFailureOf, outlived } from './known-failures.ts'
import { type Outcome, runFixture } from './run-fixture.ts'
import { hasFailed, table } from './table.ts'

/**
 * `npm run test:terraform [-- NAME…]`: applies the configurations of the provider's own tests to a started Sluice,
 * and prints the result of each step: applied with an empty second plan, or the reason of its failure. The project's
 * own configurations in `resources` are imported and destroyed as well. `SLUICE_NOT_ENFORCED` is passed on.
 */
const missing = existsSync(testCrs) ? withoutTofu : 'no OWASP CRS release'
if (missing !== false) {
  console.log(`skipped: ${missing}`)
  process.exit(0)
}
const notEnforced = process.env['SLUICE_NOT_ENFORCED']
const isKept = notEnforced === 'keep'
const names = process.argv.slice(2)
const wanted = ({ resource, name, steps }: Fixture) =>
  !(isKept && steps.some(step => step.isKept)) &&
  (names.length === 0 || names.some(one => `${resource}/${name}`.includes(one)))
const lanes = 3

const page = createServer((_request, response) =>
  response.setHeader('Content-Type', 'text/html').end('<p>no'),
)
await new Promise<void>(resolve => page.listen(0, '127.0.0.1', resolve))
process.env['TF_VAR_page_url'] = `http://127.0.0.1:${(page.address() as AddressInfo).port}/page.html`
const sluice = await startSluice({
  settings: { SLUICE_CRS: testCrs, SLUICE_NOT_ENFORCED: notEnforced },
})
const outcomes: Outcome[] = []
try {
  const account: string = (await api(sluice, 'GET', '/accounts')).result[0].id
  const fixtures = [
    ...readFixtures(join(import.meta.dirname, 'resources'), true),
    ...readFixtures(providerFixtures, false),
  ].filter(wanted)
  const shared = fixtures.filter(({ usesAccount }) => usesAccount)
  const own = fixtures.filter(({ usesAccount }) => !usesAccount)
  let at = 0
  // The account's objects are shared: fixtures that change them wait for each other.
  const work = async (first: Fixture[]) => {
    for (let fixture = first.shift() ?? own.shift(); fixture; fixture = first.shift() ?? own.shift())
      outcomes.push(...(await runFixture(sluice, account, fixture, ++at)))
  }
  await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane === 0 ? shared : [])))
} finally {
  await discard(sluice)
  page.close()
}
console.log(table(outcomes, isKept))
const failed = outcomes.filter(hasFailed).map(({ step }) => step)
const passing = outlived(
  outcomes.map(({ step }) => step),
  failed,
  isKept,
)
for (const { steps } of passing)
  console.log(`${steps}: no step fails any more; remove it from known-failures.ts`)
if (passing.length > 0 || failed.some(step => knownFailureOf(step, isKept) === undefined))
  process.exitCode = 1
