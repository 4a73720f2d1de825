import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { CrsFile } from '../model/resource.ts'
import { assemble, compileRelease } from './assemble.ts'
import { readRelease } from './sources/directory.ts'
import { inspect } from './testing/inspect.ts'
import { miniRelease } from './testing/release.ts'

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

/** A plugin in the layout that the CRS documents; it has settings, rules and changes to other rules. */
const plugin: readonly CrsFile[] = [
  {
    name: 'plugins/import-config.conf',
    text: 'SecAction "id:9599010,phase:1,nolog,pass,setvar:\'tx.import-plugin_path=/import/\'"',
  },
  {
    name: 'plugins/import-before.conf',
    text: `SecRule REQUEST_FILENAME "@beginsWith %{tx.import-plugin_path}" "id:9599100,phase:1,pass,nolog,t:none,\\
    ctl:ruleRemoveTargetByTag=OWASP_CRS;ARGS:note,ctl:ruleRemoveById=913100"
SecRule ARGS:source "@pmFromFile import-sources.data" "id:9599110,phase:2,block,capture,t:none,\\
    msg:'Source %{tx.0}',tag:'paranoia-level/1',severity:ERROR"`,
  },
  { name: 'plugins/import-sources.data', text: 'ftp://\n' },
  {
    name: 'plugins/import-after.conf',
    text: 'SecRuleUpdateTargetById 913190 "!ARGS:comment"\nSecRuleRemoveById 949110',
  },
]

test('plugins: settings behind the setup, the rest around the rules', () => {
  const other = ['after', 'before', 'config'].map(part => ({ name: `plugins/a-${part}.conf`, text: '' }))
  const rules = files.filter(file => file.name.startsWith('rules/') && file.name.endsWith('.conf'))
  assert.deepEqual(
    assemble([...plugin, ...files, ...other], undefined)
      .slice(1)
      .map(file => file.name),
    [
      'crs-setup.conf.example',
      'plugins/a-config.conf',
      'plugins/import-config.conf',
      'sluice/after-setup.conf',
      'plugins/a-before.conf',
      'plugins/import-before.conf',
      ...rules.map(file => file.name).sort(),
      'plugins/a-after.conf',
      'plugins/import-after.conf',
    ],
  )
})

test('a plugin detects, and takes rules and targets away', () => {
  const extended = [...files, ...plugin]
  const rows: readonly [target: string, userAgent: string, plain: number[], withPlugin: number[]][] = [
    ['/?note=level-four', 'browser', [913190], [913190]],
    ['/import/?note=level-four', 'browser', [913190], []],
    ['/import/?other=level-four', 'browser', [913190], [913190]],
    ['/?comment=level-four', 'browser', [913190], []],
    ['/import/', 'nikto', [913100, 949110], []],
    ['/', 'nikto', [913100, 949110], [913100]],
    ['/?source=FTP://x', 'browser', [], [9599110]],
  ]
  for (const [target, userAgent, plain, withPlugin] of rows) {
    assert.deepEqual(run(files, undefined, target, userAgent).ids, plain, target)
    assert.deepEqual(run(extended, undefined, target, userAgent).ids, withPlugin, `${target} with the plugin`)
  }
  const rule = run(extended, undefined, '/', 'x').program.rules.find(rule => rule.id === 9599110)
  assert.deepEqual([rule?.role, rule?.score, rule?.paranoiaLevel], ['request', 4, 1])
})

test('exclusion files act from before and from behind the rules', () => {
  const before = {
    name: 'rules/REQUEST-900-EXCLUSION-RULES-BEFORE-CRS.conf',
    text: `SecRule REQUEST_FILENAME "@streq /own" "id:1000,phase:1,pass,nolog,ctl:ruleRemoveById=913000-913999"
      Include own/*.conf`,
  }
  const own = { name: 'rules/own/a.conf', text: 'SecAction "id:1001,phase:1,pass,log,msg:\'included\'"' }
  const after = {
    name: 'rules/RESPONSE-999-EXCLUSION-RULES-AFTER-CRS.conf',
    text: 'SecRuleRemoveByTag "^attack-scanner$"\nSecRuleUpdateActionById 913190 "msg:\'Other\',log"',
  }
  const changed = [...files.filter(file => file.name !== after.name), before, own, after]
  assert.deepEqual(run(changed, undefined, '/own?a=level-four', 'nikto').ids, [1001, 949110])
  const elsewhere = run(changed, undefined, '/?a=level-four', 'nikto')
  assert.deepEqual(elsewhere.ids, [1001, 913190, 949110])
  assert.deepEqual(
    elsewhere.program.rules.filter(rule => rule.id >= 913000 && rule.id < 914000).map(rule => rule.message),
    ['', 'Other'],
  )
})

test('an include that leads nowhere is a diagnostic, IncludeOptional is not', () => {
  const including = (text: string) => [...files, { name: 'rules/REQUEST-902.conf', text }]
  const rows: readonly [text: string, ok: boolean][] = [
    ['Include gone.conf', false],
    ['Include gone/*.conf', false],
    ['Include ../../outside.conf', false],
    ['IncludeOptional gone/*.conf', true],
  ]
  for (const [text, ok] of rows) {
    const outcome = compileRelease(including(text), undefined)
    assert.equal(outcome.ok, ok, text)
    if (!outcome.ok) assert.equal(outcome.diagnostics[0]?.code, 'include-not-found')
  }
})

test('a custom setup replaces the setup of the release', () => {
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
  const headers = { 'User-Agent': userAgent, 'Content-Length': '0' }
  return { program, ...inspect(program, { target, headers }) }
}
