import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { inForce } from '../../test/support/in-force.ts'
import { api, type Instance, startSluice } from '../../test/support/sluice.ts'
import { AuditLog } from './audit-log.ts'
import { startBackend } from './backend.ts'
import { isPositive, judge } from './judge.ts'
import { requestBytes } from './request-bytes.ts'
import { type Answer, send } from './send.ts'
import { type FtwTest, loadSuite } from './suite.ts'

/**
 * `npm run ftw -- DIR [--crs DIR] [--only TEXT]`: runs the regression tests of the CRS against a fresh Sluice.
 * Without `--crs` the rules are SLUICE_CRS, or `crs/VERSION` beside `ftw/VERSION`.
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
/** How long a record may take; longer than any honest one, because few tests have none. */
const recordWaitMs = 500

const suite = (await loadSuite(folder)).filter(test => only === undefined || test.name.includes(only))
const work = await mkdtemp(join(tmpdir(), 'sluice-ftw-'))
const backend = await startBackend()
const auditPath = join(work, 'audit.log')
await writeFile(
  join(work, 'setup.conf'),
  `${testSetup()}\n${await readFile(join(crs, 'crs-setup.conf.example'), 'utf8')}`,
)
const sluice = await startSluice({
  data: join(work, 'data'),
  settings: {
    SLUICE_CRS: crs,
    SLUICE_CRS_SETUP: join(work, 'setup.conf'),
    SLUICE_AUDIT_LOG: auditPath,
    SLUICE_AUDIT_LOG_MODE: 'all',
    SLUICE_DEFAULT_ZONE: 'localhost',
  },
})
let failed = 0
try {
  await deploy(sluice, backend.url)
  const audit = new AuditLog(auditPath)
  await proveThatRecordsCome(audit)
  failed = report(await runAll(audit))
} finally {
  await sluice.stop()
  backend.close()
  await rm(work, { recursive: true, force: true })
}
process.exit(failed === 0 ? 0 : 1)

function flag(name: string): string | undefined {
  const at = words.indexOf(name)
  return at < 0 ? undefined : words[at + 1]
}

/** The settings that the CRS project's own test set-up makes before crs-setup.conf. */
function testSetup(): string {
  const settings = [
    'tx.blocking_paranoia_level=4',
    'tx.crs_validate_utf8_encoding=1',
    'tx.arg_name_length=100',
    'tx.arg_length=400',
    'tx.total_arg_length=64000',
    'tx.max_num_args=255',
    'tx.max_file_size=64100',
    'tx.combined_file_sizes=65535',
  ]
  return `SecAction "id:900005,phase:1,nolog,pass,ctl:ruleEngine=DetectionOnly,ctl:ruleRemoveById=910000,${settings.map(setting => `setvar:${setting}`).join(',')}"`
}

/** Both managed rulesets with action log, as DetectionOnly wants, in front of the backend. */
async function deploy(instance: Instance, origin: string): Promise<void> {
  const zone = (await api(instance, 'GET', '/zones?name=localhost')).result[0]
  await must(api(instance, 'PATCH', `/zones/${zone.id}`, { origin: { url: origin } }))
  const rulesets = (await must(api(instance, 'GET', `/accounts/${zone.account.id}/rulesets`))).result
  for (const phase of ['http_request_firewall_managed', 'http_response_firewall_managed']) {
    const managed = rulesets.find(
      (ruleset: { phase: string; kind: string }) => ruleset.phase === phase && ruleset.kind === 'managed',
    )
    const rule = {
      action: 'execute',
      expression: 'true',
      action_parameters: { id: managed.id, overrides: { action: 'log' } },
    }
    await must(
      api(instance, 'PUT', `/zones/${zone.id}/rulesets/phases/${phase}/entrypoint`, { rules: [rule] }),
    )
  }
  await inForce(instance)
}

async function must(call: ReturnType<typeof api>): ReturnType<typeof api> {
  const answer = await call
  if (!answer.success) throw new Error(`the set-up was refused: ${JSON.stringify(answer.errors)}`)
  return answer
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
