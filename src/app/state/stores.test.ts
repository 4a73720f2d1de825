import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { readSettings } from '../../model/settings/index.ts'
import { openPreparedStore, openStore } from './stores.ts'

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

test('a role that finds a newer database does not wait for it to become older', async t => {
  const data = await mkdtemp(join(tmpdir(), 'sluice-stores-'))
  t.after(() => rm(data, { recursive: true }))
  const settings = readSettings({ SLUICE_DATA: data, SLUICE_SECRET_KEY: '5a'.repeat(32) })
  assert.ok(settings.ok)
  await (await openStore(settings.value, true)).close()
  const database = new DatabaseSync(join(data, 'sluice.db'))
  database.exec("insert into schema_migrations values (9999, 'of the future', '')")
  database.close()
  let waits = 0
  await assert.rejects(
    openPreparedStore(settings.value, 30_000, () => waits++),
    /a newer version of Sluice/,
  )
  assert.equal(waits, 0)
})
