import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { AuditEntry, CrsRelease } from '../model/resource.ts'
import { openSqliteStore, type Store } from '../store/index.ts'
import { testCipher } from '../store/testing/data.ts'
import type { CrsBundle } from './bundle.ts'
import { CrsError } from './crs-error.ts'
import { keepBundle } from './import-bundle.ts'
import { type Crs, openCrs } from './releases.ts'
import { KeptSnapshots } from './snapshots/kept-snapshots.ts'
import { createPrograms } from './snapshots/programs.ts'
import { readRelease } from './sources/directory.ts'
import type { CrsSources } from './sources/obtain.ts'
import { coreRuleSetProject } from './sources/upstream.ts'
import { miniRelease, writeTree } from './testing/release.ts'

let dir = ''
let store: Store
let stores = 0
let old = ''
let next = ''
let broken = ''
const setup = 'SecAction "id:900991,phase:1,nolog,pass,setvar:tx.crs_setup_version=2"'
const brokenSetup = 'SecAction "id:900991,phase:1,nolog,pas"'

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sluice-crs-'))
  old = await writeTree(join(dir, 'old'), miniRelease('4.98.0'))
  next = await writeTree(join(dir, 'next'), miniRelease('4.99.0'))
  const rules = { 'rules/REQUEST-920.conf': 'SecRule ARG "@rx a" "id:1,deny"' }
  broken = await writeTree(join(dir, 'broken'), miniRelease('4.99.1', rules))
})
after(() => rm(dir, { recursive: true }))
beforeEach(async () => {
  store = await openSqliteStore(join(dir, `${++stores}.sqlite`), { migrate: true, cipher: testCipher })
})
afterEach(() => store.close())

test('an import becomes active with its managed rulesets; the same content is the same release', async () => {
  const releases = crs()
  const first = await releases.import(old)
  const second = await releases.import(next)
  assert.deepEqual([first.isNew, first.release.crsVersion, first.release.version], [true, '4.98.0', 1])
  assert.deepEqual([second.isNew, second.release.origin, second.release.version], [true, next, 2])
  assert.deepEqual(await releases.list(), [
    { release: first.release, active: false },
    { release: second.release, active: true },
  ])
  const [request] = await store.crs.managedRulesets(2)
  assert.equal(request?.version, 2)
  assert.ok(request.rules.length >= 3, 'two detection rules and the verdict')

  const again = await releases.import(old)
  assert.deepEqual([again.isNew, again.release], [false, first.release])
  assert.equal((await store.crs.active())?.version, 1)
})

test('a release that does not compile is refused with the source lines, and the running one stays', async () => {
  const releases = crs()
  await releases.import(old)
  await assert.rejects(releases.import(broken), error => {
    assert.ok(error instanceof CrsError)
    assert.equal(error.code, 'does-not-compile')
    assert.equal(error.diagnostics[0]?.code, 'unknown-variable')
    assert.match(error.message, /REQUEST-920\.conf:1:9: unknown variable ARG \(did you mean ARGS\?\)/)
    return true
  })
  assert.deepEqual(
    (await releases.list()).map(({ release }) => release.crsVersion),
    ['4.98.0'],
  )
})

test('a release that does not load changes nothing, with any fault', async () => {
  const releases = crs()
  await releases.ensure({ path: old, setup })
  const { programFor } = createPrograms(store)
  const program = await programFor(1)
  const state = async () => ({
    list: await releases.list(),
    active: await store.crs.active(),
    setup: await store.crs.setup(),
    managed: await store.crs.managedRulesets(1),
  })
  const before = await state()
  const mistakes: Readonly<Record<string, string>> = {
    'rules/REQUEST-902.conf': 'SecRule ARGS "@rx (" "id:1"',
    'rules/REQUEST-903.conf': 'Include gone.conf',
    'rules/REQUEST-904.conf': 'SecRule ARGS "@pmFromFile gone.data" "id:1"',
    'rules/REQUEST-913-SCANNERS.conf': 'SecAction "id:901001,phase:1"',
    'plugins/own-config.conf': 'SecAction "id:9599000,phase:1,setvars:tx.a=1"',
    'plugins/own-before.conf': 'SecRule ARGS "@inspectFile a.lua" "id:9599001"',
    'plugins/own-after.conf': 'SecRuleUpdateTargetById 913190 "!ARG"',
  }
  for (const [name, text] of Object.entries(mistakes)) {
    const files = miniRelease('4.99.2', { [name]: text })
    const path = await writeTree(await mkdtemp(join(dir, 'wrong-')), files)
    await assert.rejects(releases.import(path), error => {
      assert.ok(error instanceof CrsError)
      assert.deepEqual([error.code, error.diagnostics[0]?.source], ['does-not-compile', name])
      return true
    })
    await refused(releases.ensure({ path, setup: undefined }), 'does-not-compile')
    assert.deepEqual(await state(), before, name)
  }
  assert.equal(await programFor(1), program)
})

test('plugins and included files are kept with the release', async () => {
  const files = miniRelease('4.99.3', {
    'plugins/own-before.conf': 'Include own/*.conf',
    'plugins/own/a.conf': 'SecRule ARGS "@pmFromFile a.txt" "id:9599002,phase:2,pass"',
    'plugins/own/a.txt': 'word',
  })
  const { release } = await crs().import(await writeTree(join(dir, 'plugins'), files))
  const program = await createPrograms(store).programFor(release.version)
  assert.ok(program.rules.some(rule => rule.id === 9599002))
})

test('use makes an imported release active, and only an imported one', async () => {
  const releases = crs()
  await releases.import(old)
  await releases.import(next)
  assert.equal((await releases.use(1)).crsVersion, '4.98.0')
  assert.equal((await store.crs.active())?.version, 1)
  await refused(releases.use(3), 'unknown-release')
  assert.equal((await store.crs.active())?.version, 1)
})

test('a path replaces the active release; without it the active release stays and no source is asked', async () => {
  const releases = crs(noSource)
  assert.equal((await releases.ensure({ path: old, setup: undefined })).version, 1)
  assert.equal((await releases.ensure({ path: next, setup: undefined })).version, 2)
  assert.equal((await releases.ensure({ path: next, setup: undefined })).version, 2)
  assert.equal((await releases.ensure({ path: undefined, setup: undefined })).version, 2)
  await refused(releases.ensure({ path: join(dir, 'gone'), setup: undefined }), 'not-found')
  assert.equal((await store.crs.active())?.version, 2)
})

test('the setup follows the setting, unless the rules would not compile with it', async () => {
  const releases = crs(noSource)
  await releases.ensure({ path: old, setup })
  assert.equal(await store.crs.setup(), setup)
  await refused(releases.ensure({ path: undefined, setup: brokenSetup }), 'does-not-compile')
  await refused(releases.ensure({ path: old, setup: brokenSetup }), 'does-not-compile')
  await refused(releases.ensure({ path: next, setup: brokenSetup }), 'does-not-compile')
  assert.equal(await store.crs.setup(), setup)
  assert.equal((await releases.list()).length, 1)
  await releases.ensure({ path: undefined, setup: undefined })
  assert.equal(await store.crs.setup(), undefined)
})

test('a release without any setup needs a custom one', async () => {
  const files = miniRelease('4.97.0')
  files.delete('crs-setup.conf.example')
  const path = await writeTree(join(dir, 'bare'), files)
  await refused(crs().import(path), 'not-a-release')
  assert.equal((await crs().ensure({ path, setup })).crsVersion, '4.97.0')
})

test('with nothing imported: upstream, then the installed package, then the package downloaded', async () => {
  const lines: string[] = []
  const downloaded = async (): Promise<CrsBundle> => readRelease(old, 'debian package 1')
  const installed = { ...noSource, packageDirectory: next, downloadPackage: downloaded }
  const first = await crs(installed, lines).ensure({ path: undefined, setup: undefined })
  assert.equal(first.origin, `installed package ${next}`)
  assert.match(lines.join('\n'), /127\.0\.0\.1:1.* cannot be fetched/)

  const other = await openSqliteStore(join(dir, 'downloaded.sqlite'), { migrate: true, cipher: testCipher })
  const absent = { ...noSource, downloadPackage: downloaded }
  const made = openCrs({ store: other, data: dir, report: () => {}, reach: 'public', sources: absent })
  assert.equal((await made.ensure({ path: undefined, setup: undefined })).origin, 'debian package 1')
  await other.close()
})

test('without an available release the message says what to do', async () => {
  const none = {
    ...noSource,
    downloadPackage: async () => {
      throw new CrsError('package-unavailable', 'apt-get: is not on this machine')
    },
  }
  await assert.rejects(crs(none).ensure({ path: undefined, setup: undefined }), error => {
    assert.equal((error as CrsError).code, 'unavailable')
    assert.match(
      (error as Error).message,
      /Set SLUICE_CRS to .*\n.*127\.0\.0\.1:1.*\n.*apt-get: is not on this machine/,
    )
    return true
  })
  assert.deepEqual(await crs().list(), [])
})

test('a release can be imported without being made active', async () => {
  const releases = crs()
  await releases.import(old)
  const audited: CrsRelease[] = []
  const keep = async () =>
    keepBundle(store, await readRelease(next), new KeptSnapshots(dir), release => {
      audited.push(release)
      return anEntry
    })
  const kept = await keep()
  assert.deepEqual([kept.isNew, kept.release.crsVersion, kept.release.version], [true, '4.99.0', 2])
  assert.equal((await store.crs.active())?.version, 1)
  assert.deepEqual([(await keep()).isNew, audited], [false, [kept.release]])
  assert.deepEqual(await store.audit.list('a', { offset: 0, limit: 9 }), [anEntry])
  await assert.rejects(
    keepBundle(store, await readRelease(broken), new KeptSnapshots(dir)),
    /does not compile/,
  )
  assert.equal((await releases.list()).length, 2)
  assert.equal((await releases.use(2)).crsVersion, '4.99.0')
  await refused(releases.obtain(), 'download-failed')
})

test('sync asks upstream only, and the active release stays if it is unreachable', async () => {
  const releases = crs({ ...noSource, packageDirectory: next })
  await releases.import(old)
  await refused(releases.sync(), 'download-failed')
  assert.equal((await store.crs.active())?.crsVersion, '4.98.0')
})

test('programs are compiled once for each release and setup', async () => {
  const releases = crs()
  await releases.import(old)
  await releases.import(next)
  const { programFor } = createPrograms(store)
  const [one, same, two] = await Promise.all([programFor(1), programFor(1), programFor(2)])
  assert.equal(one, same)
  assert.notEqual(one, two)
  assert.equal(await programFor(1), one)
  await store.crs.setSetup(setup)
  const changed = await programFor(1)
  assert.notEqual(changed, one)
  assert.ok(changed.rules.some(rule => rule.id === 900991))
  await store.crs.setSetup(undefined)
  assert.equal(await programFor(1), one)
  await refused(programFor(3), 'unknown-release')
  await store.crs.setSetup(brokenSetup)
  await refused(programFor(1), 'does-not-compile')
  await refused(programFor(1), 'does-not-compile')
})

const anEntry: AuditEntry = {
  id: 'e',
  accountId: 'a',
  at: '2026-01-01T00:00:00.000000Z',
  actor: { kind: 'user', id: 'u', ip: '127.0.0.1' },
  action: 'create',
  resource: { kind: 'crs_release', id: '2' },
  method: 'POST',
  path: '/',
  before: null,
  after: null,
}

/** Upstream is unreachable, no package is installed, and the package manager must not be asked. */
const noSource: CrsSources = {
  upstream: {
    ...coreRuleSetProject('loopback'),
    releasesUrl: 'http://127.0.0.1:1/releases',
    keyUrl: 'http://127.0.0.1:1/key',
  },
  packageDirectory: '/nonexistent/modsecurity-crs',
  downloadPackage: () => assert.fail('the package manager was asked'),
}

function crs(sources: CrsSources = noSource, lines: string[] = []): Crs {
  return openCrs({ store, data: dir, report: line => lines.push(line), reach: 'public', sources })
}

async function refused(promise: Promise<unknown>, code: string): Promise<void> {
  await assert.rejects(promise, error => (error as CrsError).code === code)
}
