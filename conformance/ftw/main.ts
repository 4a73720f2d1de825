import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { AuditLog } from './audit-log.ts'
import { startForSuite } from './instance.ts'
import { isPositive, judge } from './judge.ts'
import { requestBytes } from './request-bytes.ts'
import { type Answer, send } from './send.ts'
import { type FtwTest, loadSuite } from './suite.ts'

/**
 * `npm run ftw -- DIR [--crs DIR] [--only TEXT]`: runs the regression tests of the CRS against a fresh Sluice. Without
 * `--crs` the rules are SLUICE_CRS, or `crs/VERSION` beside `ftw/VERSION`.
 */
const words = process.argv.slice(2)
const folder = words[0]
if (folder === undefined || folder.startsWith('--')) {
  console.error(
    'usage: npm run ftw -- DIR [--crs DIR] [--only TEXT]\n  DIR  the folder with the tests of a CRS release (tests/regression/tests)',
  )
  process.exit(2)
}
const crs =
  flag('--crs') ??
  process.env['SLUICE_CRS'] ??
  join(dirname(dirname(resolve(folder))), 'crs', basename(folder))
if (!existsSync(crs)) {
  console.error(`${crs} is not there: name the CRS release that the tests belong to with --crs`)
  process.exit(2)
}
const only = flag('--only')
const connections = 8
/** Timeout for a record; longer than any real one, because few tests have none. */
const recordWaitMs = 500

const suite = (await loadSuite(folder)).filter(test => only === undefined || test.name.includes(only))
const sluice = await startForSuite(crs)
let failed = 0
try {
  const audit = new AuditLog(sluice.auditLog)
  await proveThatRecordsCome(audit)
  failed = report(await runAll(audit))
} finally {
  await sluice.close()
}
process.exit(failed === 0 ? 0 : 1)

function flag(name: string): string | undefined {
  const at = words.indexOf(name)
  return at < 0 ? undefined : words[at + 1]
}

/** Without records every negative test would pass. */
async function proveThatRecordsCome(audit: AuditLog): Promise<void> {
  await send(
    sluice.edgePort,
    requestBytes({ uri: '/?q=1%27%20or%20%271%27=%271', headers: { Host: 'localhost' } }, 'proof'),
  )
  const record = await audit.find('proof', 5000)
  if (!record?.matched.length)
    throw new Error('an attack left no record with matches: the run would prove nothing')
}

interface Result {
  readonly test: FtwTest
  readonly positive: boolean
  readonly faults: readonly string[]
}

async function runAll(audit: AuditLog): Promise<readonly Result[]> {
  const results: Result[] = []
  let next = 0
  const worker = async () => {
    while (next < suite.length) {
      const test = suite[next++]!
      results.push(await run(test, audit))
      if (process.stderr.isTTY) process.stderr.write(`\r${results.length}/${suite.length}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  if (process.stderr.isTTY) process.stderr.write('\r')
  return results
}

async function run(test: FtwTest, audit: AuditLog): Promise<Result> {
  const faults: string[] = []
  for (const [index, { input, output }] of test.stages.entries()) {
    let stageFaults: readonly string[] = []
    for (let attempt = 0; attempt < (output['retry_once'] === 'true' ? 2 : 1); attempt++) {
      const marker = `${test.name.replace('-', 't')}s${index}a${attempt}`
      const answer: Answer = await send(sluice.edgePort, requestBytes(input, marker))
      stageFaults = judge(output, answer, await audit.find(marker, recordWaitMs))
      if (stageFaults.length === 0) break
    }
    faults.push(...stageFaults)
  }
  return { test, positive: test.stages.some(stage => isPositive(stage.output)), faults }
}

/** Prints the table and the failures. @returns how many tests failed */
function report(results: readonly Result[]): number {
  for (const result of [...results].sort((a, b) =>
    a.test.name.localeCompare(b.test.name, 'en', { numeric: true }),
  ))
    if (result.faults.length > 0) console.log(`FAIL ${result.test.name}: ${result.faults.join('; ')}`)
  console.log('category  must match        must not match')
  for (const category of [...new Set(results.map(result => result.test.category))].sort()) {
    const mine = results.filter(result => result.test.category === category)
    console.log(`${category.padEnd(9)} ${share(mine, true).padEnd(17)} ${share(mine, false)}`)
  }
  const failures = results.filter(result => result.faults.length > 0).length
  const percent = ((100 * (results.length - failures)) / results.length).toFixed(2)
  console.log(
    `passed ${results.length - failures} of ${results.length} (${percent} %): must match ${share(results, true)}, must not match ${share(results, false)}`,
  )
  return failures
}

function share(results: readonly Result[], positive: boolean): string {
  const of = results.filter(result => result.positive === positive)
  return `${of.filter(result => result.faults.length === 0).length}/${of.length}`
}
