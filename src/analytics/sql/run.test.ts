import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { sqlLimits } from '../limits.ts'
import { openDuckDBStore } from '../records/duckdb/store.ts'
import { runSql } from './run.ts'
import { sqlSuite } from './testing/suite.ts'
import type { SqlQuestion } from './types.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-sql-run-'))
after(() => rmSync(folder, { recursive: true }))

describe('SQL over DuckDB', () => {
  sqlSuite(() => openDuckDBStore(join(folder, 'store', 'analytics.duckdb')))
})

describe('a statement that cannot be answered', () => {
  const own = join(folder, 'own')
  const range = { sinceMs: 0, untilMs: 1 }
  const ask = (text: string, changes: Partial<SqlQuestion> = {}, rows = 0) =>
    runSql(
      { exportRows: async () => rows },
      { text, account: 'a'.repeat(32), range, format: 'json', rowsMax: 100, ...changes },
      own,
    )

  test('it says where it is wrong', async () => {
    const rows: readonly (readonly [string, RegExp])[] = [
      ['select a from (select 1 as b)', /"a" not found[\s\S]*"b"[\s\S]*LINE 1/],
      ['select 1 +', /syntax error/],
      ['delete from http_requests', /has to be a SELECT/],
      ['select 1; select 2', /2 statements/],
    ]
    for (const [text, message] of rows)
      await assert.rejects(ask(text), { name: 'SqlError', code: 'refused', message })
    const tooMany = ask('select zone from http_requests', {}, sqlLimits.rowsReadMax + 1)
    await assert.rejects(tooMany, { code: 'rows', message: /make the range shorter/ })
  })

  test('one that takes too much ends alone, and leaves nothing', async () => {
    const rows: readonly (readonly [string, string])[] = [
      ["select length(repeat('x', 2000000000))", 'memory'],
      ['select len(range(300000000))', 'memory'],
      ["select repeat('x', 1000000) from range(30)", 'size'],
      ["select * from enable_logging(storage = 'file', storage_path = 'outside')", 'failed'],
    ]
    for (const [text, code] of rows) await assert.rejects(ask(text), { name: 'SqlError', code }, text)
    assert.deepEqual(readdirSync(own), [])
  })
})
