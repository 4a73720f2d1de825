import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { removeStaleBuilds } from './stale-builds.ts'

test('the newest build, used ones and builds under way stay', t => {
  const kept = mkdtempSync(join(tmpdir(), 'sluice-builds-'))
  t.after(() => rmSync(kept, { recursive: true }))
  const remaining = (hours: { readonly [name: string]: number }) => {
    for (const [name, age] of Object.entries(hours)) {
      const at = Date.now() / 1000 - age * 3600
      mkdirSync(join(kept, name), { recursive: true })
      utimesSync(join(kept, name), at, at)
    }
    removeStaleBuilds(kept)
    return readdirSync(kept).sort()
  }
  const day = 24
  assert.deepEqual(remaining({ newest: 20 * day, older: 21 * day, 'newest.1': 0, 'older.2': 2 }), [
    'newest',
    'newest.1',
  ])
  assert.deepEqual(remaining({ used: 13 * day, newer: 0 }), ['newer', 'newest.1', 'used'])
})
