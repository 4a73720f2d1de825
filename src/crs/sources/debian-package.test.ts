import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { CrsError } from '../crs-error.ts'
import { downloadPackage } from './debian-package.ts'

let dir = ''
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sluice-crs-'))
})
after(() => rm(dir, { recursive: true }))

const noApt = existsSync('/usr/bin/apt-get') ? false : 'no apt-get here'
test('the distribution’s package is downloaded and read, and nothing is left behind', {
  skip: noApt,
}, async t => {
  const tmp = join(dir, 'data/tmp')
  try {
    const bundle = await downloadPackage(tmp, () => {})
    assert.match(bundle.origin, /^debian package [0-9.]+/)
    assert.match(bundle.crsVersion, /^[34]\.\d+\.\d+/)
    assert.ok(bundle.files.some(file => file.name === 'crs-setup.conf'))
    assert.ok(bundle.files.some(file => file.name.startsWith('rules/REQUEST-942-')))
    assert.ok(bundle.files.some(file => file.name.endsWith('.data')))
  } catch (error) {
    if (!(error instanceof CrsError && error.code === 'package-unavailable')) throw error
    t.skip(error.message)
  }
  assert.deepEqual(await readdir(tmp), [])
})

test('without a package manager the error says so', async () => {
  const { PATH } = process.env
  process.env['PATH'] = dir
  try {
    await assert.rejects(
      downloadPackage(join(dir, 'tmp'), () => {}),
      error => {
        assert.equal((error as CrsError).code, 'package-unavailable')
        assert.match((error as Error).message, /apt-get: is not on this machine/)
        return true
      },
    )
  } finally {
    process.env['PATH'] = PATH
  }
  assert.deepEqual(await readdir(join(dir, 'tmp')), [])
})
