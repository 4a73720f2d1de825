import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { openDuckDBStore } from '../records/duckdb/store.ts'
import { questionSuite } from './testing/suite.ts'

describe('questions to DuckDB', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-questions-'))
  questionSuite(() => openDuckDBStore(join(folder, 'analytics.duckdb')))
  after(() => rmSync(folder, { recursive: true }))
})
