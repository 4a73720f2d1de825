import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { openDuckDBStore } from '../records/duckdb/store.ts'
import { querySuite } from './testing/suite.ts'

describe('queries to DuckDB', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-queries-'))
  querySuite(() => openDuckDBStore(join(folder, 'analytics.duckdb')))
  after(() => rmSync(folder, { recursive: true }))
})
