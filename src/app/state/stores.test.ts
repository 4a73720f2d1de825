import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSettings } from '../../model/settings/index.ts'
import { openPreparedStore } from './stores.ts'

test('a role without an embedded database creates none, and names the process to start or the setting', async t => {
  const data = await mkdtemp(join(tmpdir(), 'sluice-stores-'))
  t.after(() => rm(data, { recursive: true }))
  const settings = readSettings({
    SLUICE_DATA: data,
    SLUICE_ROLES: 'edge',
    SLUICE_SECRET_KEY: '5a'.repeat(32),
  })
  assert.ok(settings.ok)
  await assert.rejects(
    openPreparedStore(settings.value, 100),
    /no database in .*: start a process with the role control .* SLUICE_DATABASE_URL/,
  )
  assert.equal(existsSync(join(data, 'sluice.db')), false)
})
