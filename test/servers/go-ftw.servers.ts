import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startForSuite } from '../../conformance/ftw/instance.ts'

/** The CRS project's own runner reads the audit log as docs/reference/logs.md says. `npm run test:servers -- go-ftw` runs it. */

const shared = join(import.meta.dirname, '../../../shared')
const suite = join(shared, 'ftw/4.28.0')
const skip = existsSync(suite)
  ? false
  : 'needs ../shared/ftw: the tests of the CRS are not part of the project'

/** Requests that the edge refuses or answers otherwise than Apache, see docs/internals/engine.md. */
const expectedFailures = 7

const markerRule = `SecRule REQUEST_HEADERS:X-CRS-Test "@rx ^.*$" \\
  "id:999999,phase:1,pass,log,msg:'X-CRS-Test %{MATCHED_VAR}',ctl:ruleRemoveById=1-999999"`

interface Result {
  readonly run: number
  readonly success: readonly string[]
  readonly failed: readonly string[]
}

for (const format of ['json', 'modsecurity'])
  test(`go-ftw reads the audit log in the form ${format}`, { skip }, async t => {
    const rules = format === 'json' ? '' : markerRule
    const sluice = await startForSuite(join(shared, 'crs/4.28.0'), rules, {
      SLUICE_AUDIT_LOG_FORMAT: format,
    })
    const directory = await mkdtemp(join(tmpdir(), 'sluice-go-ftw-'))
    try {
      const config = join(directory, 'ftw.yaml')
      const results = join(directory, 'results.json')
      await writeFile(
        config,
        `logfile: ${sluice.auditLog}
logmarkerheadername: X-CRS-TEST
mode: default
testoverride:
  input: {dest_addr: 127.0.0.1, port: ${sluice.edgePort}}
`,
      )
      const program = join(process.env['SLUICE_TEST_GO_FTW']!, 'go-ftw')
      const words = ['run', '--config', config, '-d', suite, '-o', 'json', '-f', results]
      const child = spawn(program, words, { stdio: 'inherit' })
      await once(child, 'exit')
      const { run, failed } = JSON.parse(await readFile(results, 'utf8')) as Result
      t.diagnostic(`${run - failed.length} of ${run} pass; not: ${failed.join(' ')}`)
      assert.equal(run, 3327)
      assert.ok(failed.length <= expectedFailures, failed.join(' '))
    } finally {
      await rm(directory, { recursive: true, force: true })
      await sluice.close()
    }
  })
