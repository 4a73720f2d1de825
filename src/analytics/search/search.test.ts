import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { openDuckDBStore } from '../records/duckdb/store.ts'
import { searchSuite } from './testing/suite.ts'

describe('search in DuckDB', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-search-'))
  searchSuite(() => openDuckDBStore(join(folder, 'analytics.duckdb')))
  after(() => rmSync(folder, { recursive: true }))
})
