import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { CrsError, openCrs } from '../crs/index.ts'
import { miniRelease, writeTree } from '../crs/testing/release.ts'
import { readSettings, type Settings } from '../model/settings/index.ts'
import { installedProgram } from './installed-program.ts'
import { openStore } from './state/stores.ts'

let directory: string
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-installed-'))
})
after(() => rm(directory, { recursive: true, force: true }))

function settings(flags: Readonly<Record<string, string>> = {}): Settings {
  const read = readSettings({}, new Map(Object.entries({ data: directory, ...flags })))
  assert.ok(read.ok)
  return read.value
}

const release = (version: string) => writeTree(join(directory, version), miniRelease(version))

test('without a release the error says how to get one', async () => {
  await assert.rejects(
    installedProgram(settings()),
    error => error instanceof CrsError && error.code === 'unavailable' && /--crs PATH/.test(error.message),
  )
})

test('the active release, with base rules; a path overrides it', async () => {
  const store = await openStore(settings(), true)
  const crs = openCrs({ store, data: directory, report: () => {}, reach: 'public' })
  await crs.import(await release('4.1.0'))
  const older = await crs.list()
  await crs.import(await release('4.2.0'))
  await crs.use(older[0]!.release.version)
  await store.close()
  const { program, crsVersion } = await installedProgram(settings())
  assert.equal(crsVersion, '4.1.0')
  const ids = program.rules.map(rule => rule.id)
  assert.ok(ids.includes(913100) && ids.includes(200002))
  const given = await installedProgram(settings({ crs: await release('4.3.0') }))
  assert.equal(given.crsVersion, '4.3.0')
})

test('rules that do not compile', async () => {
  const broken = { 'rules/REQUEST-999-BROKEN.conf': 'SecRule ARGS "@rx (" "id:1"' }
  const crs = await writeTree(join(directory, 'broken'), miniRelease('4.4.0', broken))
  await assert.rejects(
    installedProgram(settings({ crs })),
    error => error instanceof CrsError && error.code === 'does-not-compile',
  )
})
