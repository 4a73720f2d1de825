import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { sqlLimits } from '../limits.ts'
import { openDuckDBStore } from '../records/duckdb/store.ts'
import type { SqlTask } from './protocol.ts'
import { runSql } from './run.ts'
import { sqlSuite } from './testing/suite.ts'
import type { SqlQuery } from './types.ts'

const endless = 'select count(*) from range(1_000_000_000_000) where hash(range) = 1'
const folder = mkdtempSync(join(tmpdir(), 'sluice-sql-run-'))
after(() => rmSync(folder, { recursive: true }))

describe('SQL over DuckDB', () => {
  sqlSuite(() => openDuckDBStore(join(folder, 'store', 'analytics.duckdb')))
})

describe('a statement that cannot be answered', () => {
  const own = join(folder, 'own')
  const range = { sinceMs: 0, untilMs: 1 }
  const query: Omit<SqlQuery, 'text'> = { account: 'a'.repeat(32), range, format: 'json', rowsMax: 100 }
  const ask = (text: string, rows = 0, stop?: AbortSignal) =>
    runSql({ exportRows: async () => rows }, { ...query, text }, own, stop)

  test('it says where it is wrong', async () => {
    const rows: readonly (readonly [string, RegExp])[] = [
      ['select a from (select 1 as b)', /"a" not found[\s\S]*"b"[\s\S]*LINE 1/],
      ['select 1 +', /syntax error/],
      ['delete from http_requests', /has to be a SELECT/],
      ['pivot http_requests on Action', /PIVOT .* IN/],
      ['select 1; select 2', /2 statements/],
    ]
    for (const [text, message] of rows)
      await assert.rejects(ask(text), { name: 'SqlError', code: 'refused', message })
    const tooMany = ask('select zone from http_requests', sqlLimits.rowsReadMax + 1)
    await assert.rejects(tooMany, { code: 'rows', message: /make the range shorter/ })
  })

  test('one that takes too much ends alone, and leaves nothing', async () => {
    const rows: readonly (readonly [string, string])[] = [
      ["select length(repeat('x', 2000000000))", 'memory'],
      ['select len(range(300000000))', 'memory'],
      ["select repeat('x', 1000000) from range(30)", 'size'],
    ]
    for (const [text, code] of rows) await assert.rejects(ask(text), { name: 'SqlError', code }, text)
    assert.deepEqual(readdirSync(own), [])
  })

  test('errors of the engine name no folder', async () => {
    const broken = async (_: unknown, path: string) => {
      writeFileSync(path, 'PAR1')
      return 1
    }
    const text = 'select zone from http_requests'
    await assert.rejects(runSql({ exportRows: broken }, { ...query, text }, own), ({ message }: Error) => {
      assert.match(message, /'http_requests\.parquet' too small/)
      assert.ok(!message.includes('/'), message)
      return true
    })
  })

  test('a stop ends one that runs', async () => {
    const stop = new AbortController()
    const asked = ask(endless, 0, stop.signal)
    stop.abort()
    await assert.rejects(asked, { name: 'RecordStoreError' })
    assert.deepEqual(readdirSync(own), [])
  })

  test('the process of a statement ends without Sluice: at once, or after its time', async t => {
    const begin = async (msMax: number): Promise<ChildProcess> => {
      const child = fork(new URL('./sandbox.ts', import.meta.url))
      t.after(() => child.kill('SIGKILL'))
      const limits = { rowsMax: 1, msMax, bytesMax: 1, fileBytesMax: 1 }
      const memory = { engineMemoryMib: 256, processMemoryMib: 512 }
      const task: SqlTask = { text: endless, folder: own, format: 'json', ...limits, ...memory }
      child.send(task)
      await once(child, 'message')
      child.send('exported')
      return child
    }
    const left = await begin(600_000)
    left.disconnect()
    assert.deepEqual(await once(left, 'exit'), [null, 'SIGKILL'])
    const late = await begin(1)
    assert.deepEqual(await once(late, 'exit'), [null, 'SIGKILL'])
  })
})

test('a long answer arrives whole', async () => {
  const text = "select repeat('x', 10_000) from range(500)"
  const range = { sinceMs: 0, untilMs: 1 }
  const query: SqlQuery = { text, account: 'a'.repeat(32), range, format: 'json', rowsMax: 500 }
  const answer = await runSql({ exportRows: async () => 0 }, query, join(folder, 'long'))
  assert.ok('rows' in answer && answer.rows.length === 500)
})
