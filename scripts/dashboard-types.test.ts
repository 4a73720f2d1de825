import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

test('the dashboard’s types of the API are up to date', () => {
  const script = join(import.meta.dirname, 'dashboard-types.ts')
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
})
