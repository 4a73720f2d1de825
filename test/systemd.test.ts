import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const skip = spawnSync('systemd-analyze', ['--version']).error === undefined ? false : 'needs systemd-analyze'

test('systemd accepts the unit of deploy/', { skip }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-systemd-'))
  try {
    const text = await readFile(join(import.meta.dirname, '../deploy/systemd/sluice.service'), 'utf8')
    const unit = join(directory, 'sluice.service')
    // It looks for the program of the unit.
    await writeFile(unit, text.replace('/opt/sluice/node_modules/.bin/sluice', process.execPath))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], {
      encoding: 'utf8',
    })
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
  } finally {
    await rm(directory, { recursive: true })
  }
})
