import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { after, before, test } from 'node:test'
import type { RecordStore } from '../../records/port.ts'
import { batchOf } from '../../records/testing/suite.ts'
import { accountA, eventRecord, requestRecord } from '../../testing/fill.ts'
import { runSql } from '../run.ts'
import type { SqlQuery } from '../types.ts'

const atMs = Date.UTC(2026, 0, 2, 10)
const range = { sinceMs: atMs, untilMs: atMs + 60_000 }
const accountB = 'f'.repeat(32)

/** Statements of users see the rows of one account, the same on every engine. */
export function sqlSuite(open: () => Promise<RecordStore>): void {
  let store: RecordStore
  // Relative, as the data directory is by default.
  const folder = relative('.', mkdtempSync(join(tmpdir(), 'sluice-sql-')))
  before(async () => {
    store = await open()
    await store.append(
      batchOf([
        requestRecord(atMs, {
          ClientRequestPath: "/it's",
          RequestHeaders: { 'x-a': 'one' },
          SecurityActions: ['log'],
        }),
        requestRecord(atMs + 1, { ClientRequestPath: '/b', EdgeEndTimestamp: '1767348000123456789' }),
        requestRecord(atMs + 60_000, { ClientRequestPath: '/later' }),
        requestRecord(atMs + 2, { ClientRequestPath: '/other' }, { account: accountB }),
        eventRecord(atMs + 3),
      ]),
    )
  })
  after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })

  const ask = (text: string, changes: Partial<SqlQuery> = {}) =>
    runSql(store, { text, account: accountA, range, format: 'json', rowsMax: 10, ...changes }, folder)

  async function rowsOf(text: string, changes: Partial<SqlQuery> = {}): Promise<unknown> {
    const answer = await ask(text, changes)
    assert.ok('rows' in answer)
    return answer.rows
  }

  test('statements answer with the rows of the account and the range', async () => {
    const all = await ask('select count(*) as n from http_requests')
    assert.deepEqual(all, { columns: [{ name: 'n', type: 'BIGINT' }], rows: [[2]], more: false })
    const statements: readonly (readonly [string, unknown])[] = [
      [
        "select r.clientrequestpath as p, JSONExtractString(RequestHeaders, 'x-a'), any_value(SecurityActions) from http_requests as r group by all order by p",
        [
          ['/b', '', []],
          ["/it's", 'one', ['log']],
        ],
      ],
      [
        'select h.time, h.EdgeEndTimestamp, 9007199254740993::bigint from http_requests h order by 1 desc limit 1',
        [['2026-01-02 10:00:00.001', '2026-01-02 10:00:00.123456789', '9007199254740993']],
      ],
      [
        'with a as (select * from firewall_events) select Action, (select count(*) from http_requests) from a',
        [['block', 2]],
      ],
    ]
    for (const [text, want] of statements) assert.deepEqual(await rowsOf(text), want, text)
    const named = 'select a, b from http_requests as t(a, b) order by 1'
    assert.deepEqual(await rowsOf(named), await rowsOf('select zone, account from http_requests order by 1'))
    const limited = await ask('from range(100)', { rowsMax: 3 })
    assert.deepEqual(limited, {
      columns: [{ name: 'range', type: 'BIGINT' }],
      rows: [[0], [1], [2]],
      more: true,
    })
  })

  test('another account has its own rows', async () => {
    const text = 'select ClientRequestPath, (select count(*) from firewall_events) from http_requests'
    assert.deepEqual(await rowsOf(text, { account: accountB }), [['/other', 0]])
  })

  test('the answer can be Parquet', async () => {
    const text = 'select time, SecurityActions as a from http_requests order by time; '
    const answer = await ask(text, { format: 'parquet' })
    assert.ok('path' in answer)
    const { path } = answer
    assert.deepEqual(readdirSync(folder), [basename(path)])
    const { DuckDBInstance } = await import('@duckdb/node-api')
    const reader = await (await DuckDBInstance.create(':memory:')).connect()
    const rows = await reader.runAndReadAll(`select epoch_ms(time)::double, a from '${path}'`)
    assert.deepEqual(rows.getRowsJson(), [
      [atMs, ['log']],
      [atMs + 1, []],
    ])
    rmSync(path)
  })
}
