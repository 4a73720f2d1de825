import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { recordStoreSuite } from '../testing/suite.ts'
import { openDuckDBStore } from './store.ts'

describe('records in DuckDB', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-duckdb-'))
  after(() => rmSync(folder, { recursive: true }))
  const fileOf = (name: string) => join(folder, name, 'analytics.duckdb')

  recordStoreSuite({ open: name => openDuckDBStore(fileOf(name)) })

  test('only the owner may enter the folder of the file', async () => {
    const store = await openDuckDBStore(fileOf('private'))
    await store.close()
    assert.equal(statSync(join(folder, 'private')).mode & 0o777, 0o700)
  })
})
