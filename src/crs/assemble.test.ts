import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { CrsFile } from '../model/resource.ts'
import { assemble, compileRelease } from './assemble.ts'
import { readRelease } from './directory.ts'
import { miniRelease } from './test-release.ts'

const files: readonly CrsFile[] = [
  ...[...miniRelease('4.99.0')].map(([name, text]) => ({ name, text })),
  { name: 'rules/RESPONSE-999-EXCLUSION-RULES-AFTER-CRS.conf', text: '# mine' },
].filter(file => file.name !== 'LICENSE')

test('load order: base rules, setup, our levels, rules by name', () => {
  assert.deepEqual(
    assemble(files.toReversed(), undefined).map(file => file.name),
    [
      'sluice/base-rules.conf',
      'crs-setup.conf.example',
      'sluice/after-setup.conf',
      'rules/REQUEST-901-INITIALIZATION.conf',
      'rules/REQUEST-913-SCANNERS.conf',
      'rules/REQUEST-949-BLOCKING-EVALUATION.conf',
      'rules/RESPONSE-999-EXCLUSION-RULES-AFTER-CRS.conf',
    ],
  )
})

test('a setup of one’s own stands in for the release’s', () => {
  const setup = assemble([{ name: 'crs-setup.conf', text: '# theirs' }, ...files], '# own')[1]
  assert.deepEqual(setup, { name: 'crs-setup.conf', text: '# own' })
})

test('dictionaries are found beside the rules, every level runs, the blocking evaluation does nothing', () => {
  const { ids, interruption } = run(files, undefined, '/?a=level-four', 'nikto')
  assert.deepEqual(ids, [913100, 913190, 949110])
  assert.equal(interruption, undefined)
})

test('rules other than the blocking evaluation do stop a request', () => {
  const setup = 'SecDefaultAction "phase:1,log,pass"\nSecDefaultAction "phase:2,log,pass"'
  const { interruption } = run(files, setup, '/', 'browser')
  assert.deepEqual([interruption?.ruleId, interruption?.status], [901001, 500])
})

test('a dictionary that is missing is a diagnostic', () => {
  const outcome = compileRelease(
    files.filter(file => file.name !== 'rules/scanners.data'),
    undefined,
  )
  assert.ok(!outcome.ok)
  assert.equal(outcome.diagnostics[0]?.source, 'rules/REQUEST-913-SCANNERS.conf')
})

for (const [version, rules] of [
  ['4.28.0', 630],
  ['3.3.10', 639],
] as const) {
  const path = join(import.meta.dirname, '../../../shared/crs', version)
  const skip = existsSync(path) ? false : `no CRS ${version} in ../shared/crs`
  test(`CRS ${version} compiles with what surrounds it, and passes an ordinary request`, {
    skip,
  }, async () => {
    const release = await readRelease(path)
    assert.equal(release.crsVersion, version)
    const { program, ids, interruption } = run(release.files, undefined, '/?a=hello', 'Mozilla/5.0')
    assert.equal(program.rules.filter(rule => rule.id >= 900000).length, rules)
    assert.deepEqual([ids, interruption], [[], undefined])
    const attack = run(
      release.files,
      undefined,
      "/?a=1'%20union%20select%20password%20from%20users--",
      'Mozilla/5.0',
    )
    assert.ok(attack.ids.some(id => id >= 942000 && id < 943000))
  })
}

function run(release: readonly CrsFile[], setup: string | undefined, target: string, userAgent: string) {
  const outcome = compileRelease(release, setup)
  assert.deepEqual(outcome.ok ? [] : outcome.diagnostics, [])
  assert.ok(outcome.ok)
  const program = outcome.value
  const transaction = program.begin(
    {
      clientIp: '192.0.2.1',
      clientPort: 40000,
      serverPort: 80,
      method: 'GET',
      target,
      protocol: 'HTTP/1.1',
      headers: [
        ['Host', 'shop.example'],
        ['User-Agent', userAgent],
        ['Accept', 'text/html'],
        ['Content-Length', '0'],
      ],
      uniqueId: 'a1b2c3d4',
      startedMs: 0,
    },
    program.mask(() => false),
  )
  const interruption = transaction.requestHeaders() ?? transaction.requestBody(new Uint8Array(), true)
  return { program, interruption, ids: transaction.matches.map(match => match.rule.id) }
}
