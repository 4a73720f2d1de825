import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { formatDiagnostic } from '../kit/diagnostic.ts'
import { compileRelease } from './assemble.ts'
import { CrsError } from './crs-error.ts'
import { readSetup, setupFiles } from './setup.ts'
import { miniRelease, writeTree } from './testing/release.ts'

let dir = ''
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sluice-setup-'))
})
after(() => rm(dir, { recursive: true }))

const files = [...miniRelease('4.99.0')].map(([name, text]) => ({ name, text }))

test('a setup without includes is its text', async () => {
  const text = 'SecAction "id:1,phase:1,nolog"\n# \u00e4'
  const path = join(await writeTree(join(dir, 'plain'), new Map([['mine.conf', text]])), 'mine.conf')
  assert.equal(await readSetup(path), text)
  assert.deepEqual(setupFiles(text), [{ name: 'crs-setup.conf', text }])
})

test('a setup brings what it includes and the lists it names, from beside it and from elsewhere', async () => {
  const elsewhere = join(dir, 'elsewhere')
  const tree = new Map([
    [
      'etc/setup.conf',
      `Include exclusions/*.conf\nIncludeOptional none/*.conf\nInclude ../shared.conf\nInclude ${elsewhere}/x.conf`,
    ],
    ['etc/exclusions/b.conf', 'SecRule ARGS "@pmFromFile words.data" "id:12,phase:2,pass"'],
    ['etc/exclusions/a.conf', 'SecRule ARGS "@rx ^a" "id:11,phase:2,pass"\n'],
    ['etc/exclusions/words.data', 'one\ntwo'],
    ['etc/exclusions/unused.txt', 'x'],
    ['shared.conf', 'SecAction "id:13,phase:1,nolog"'],
    ['elsewhere/x.conf', 'SecAction "id:14,phase:1,nolog"'],
  ])
  const setup = await readSetup(join(await writeTree(dir, tree), 'etc/setup.conf'))
  assert.deepEqual(
    setupFiles(setup).map(file => [file.name, file.text.trimEnd()]),
    [
      ['crs-setup.conf', tree.get('etc/setup.conf')],
      ['../shared.conf', tree.get('shared.conf')],
      [`${elsewhere}/x.conf`, tree.get('elsewhere/x.conf')],
      ['exclusions/a.conf', tree.get('etc/exclusions/a.conf')!.trimEnd()],
      ['exclusions/b.conf', tree.get('etc/exclusions/b.conf')],
      ['exclusions/words.data', tree.get('etc/exclusions/words.data')],
    ],
  )
  const outcome = compileRelease(files, setup)
  assert.deepEqual(outcome.ok ? [] : outcome.diagnostics.map(formatDiagnostic), [])
  assert.ok(outcome.ok)
  assert.deepEqual(
    outcome.value.rules.map(rule => rule.id).filter(id => id < 100),
    [11, 12, 13, 14],
  )
})

test('mistakes in an included file are shown at their own line', async () => {
  const tree = new Map([
    ['setup.conf', '\nInclude more.conf\nInclude gone.conf'],
    ['more.conf', '#\nSecRule ARGZ "@rx a" "id:11"'],
  ])
  const setup = await readSetup(join(await writeTree(join(dir, 'wrong'), tree), 'setup.conf'))
  const outcome = compileRelease(files, setup)
  assert.ok(!outcome.ok)
  assert.deepEqual(outcome.diagnostics.map(formatDiagnostic), [
    'more.conf:2:9: unknown variable ARGZ (did you mean ARGS?)',
    'crs-setup.conf:3:9: there is no file gone.conf',
  ])
})

test('a setup may include files of the release; its own win over them', async () => {
  const release = [...files, { name: 'rules/extra.inc', text: 'SecAction "id:21,phase:1,nolog"' }]
  const theirs = compileRelease(release, 'Include rules/*.inc')
  assert.ok(theirs.ok && theirs.value.rules.some(rule => rule.id === 21))
  const tree = new Map([
    ['setup.conf', 'Include rules/extra.inc'],
    ['rules/extra.inc', 'SecAction "id:22,phase:1,nolog"'],
  ])
  const setup = await readSetup(join(await writeTree(join(dir, 'wins'), tree), 'setup.conf'))
  const own = compileRelease(release, setup)
  assert.ok(own.ok)
  const ids = own.value.rules.map(rule => rule.id)
  assert.deepEqual([ids.includes(21), ids.includes(22)], [false, true])
})

test('a setup that is absent or a folder is refused', async () => {
  for (const path of [join(dir, 'absent.conf'), dir]) {
    await assert.rejects(readSetup(path), error => error instanceof CrsError && error.code === 'not-found')
  }
})
