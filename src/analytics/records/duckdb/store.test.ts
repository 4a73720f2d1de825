import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'
import { analyticsLimits } from '../../limits.ts'
import { requestRecord } from '../../testing/fill.ts'
import { sql } from '../sql.ts'
import { batchOf, recordStoreSuite } from '../testing/suite.ts'
import { openDuckDBStore } from './store.ts'

describe('records in DuckDB', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-duckdb-'))
  after(() => rmSync(folder, { recursive: true }))
  const fileOf = (name: string) => join(folder, name, 'analytics.duckdb')

  recordStoreSuite({ open: name => openDuckDBStore(fileOf(name)) })

  test('a killed process leaves whole batches, and every batch that it reported', async () => {
    const path = fileOf('killed')
    const script = fileURLToPath(new URL('../testing/append-forever.ts', import.meta.url))
    const child = spawn(process.execPath, [script, path], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    let reported = 0
    for await (const line of createInterface(child.stdout)) {
      reported = Number(line)
      if (reported >= 50) child.kill('SIGKILL')
    }
    await ended
    const store = await openDuckDBStore(path)
    const { sequence } = await store.position('edge-1.0a')
    assert.ok(sequence >= reported)
    assert.deepEqual(
      await store.rows(sql`select count(*) as n, count(distinct id) as ids from http_requests`),
      [{ n: sequence, ids: sequence }],
    )
    await store.close()
  })

  // Counts longer than any test may take.
  const endless = sql`select count(*) as n from http_requests a, http_requests b, http_requests c, http_requests d
      where a.id + b.id + c.id + d.id = 1`
  const many = Array.from({ length: 2000 }, (_, n) => requestRecord(Date.UTC(2026, 0, 2) + n))

  test('long answers end with an error, and delay no batch meanwhile', async t => {
    const store = await openDuckDBStore(fileOf('slow'))
    await store.append(batchOf(many))
    t.mock.timers.enable({ apis: ['setInterval'] })
    let open = 0
    const asked = Array.from({ length: 3 }, async () => {
      open++
      await assert.rejects(store.rows(endless), { name: 'RecordStoreError', code: 'slow' })
      open--
    })
    assert.ok((await store.usedBytes()) > 0)
    assert.ok(await store.append(batchOf(many, many.length)))
    while (open > 0) {
      t.mock.timers.tick(analyticsLimits.queryMsMax)
      await sleep(10)
    }
    await Promise.all(asked)
    t.mock.timers.reset()
    await store.close()
  })

  test('an export of more than the memory delays no batch and fails none', async () => {
    const store = await openDuckDBStore(fileOf('large'))
    const [one] = batchOf([
      requestRecord(Date.UTC(2026, 0, 2), { RequestHeaders: { 'x-large': 'x'.repeat(16_000) } }),
    ]).tables
    const count = 20_000
    const columns = one!.columns.map(([value]) => Array(count).fill(value))
    await store.append({ ...batchOf([]), partition: 'large', last: 1, tables: [{ ...one!, count, columns }] })
    const rows = sql`from http_requests where true`
    const selection = {
      table: 'http_requests',
      rows,
      columns: ['RequestHeaders', 'EdgeStartTimestamp'],
      rowsMax: 1e6,
    } as const
    let isOpen = true
    const exporting = store.exportRows(selection, join(folder, 'large.parquet')).finally(() => {
      isOpen = false
    })
    for (let after = 0; isOpen; after++) assert.ok(await store.append(batchOf(many.slice(0, 1), after)))
    assert.equal(await exporting, count)
    await store.close()
  })

  test('closing ends running queries, and later ones fail', async () => {
    const store = await openDuckDBStore(fileOf('closing'))
    await store.append(batchOf(many))
    const asked = assert.rejects(store.rows(endless), { name: 'RecordStoreError', code: 'failed' })
    await store.close()
    await asked
    await assert.rejects(store.rows(sql`select 1 as n`), { name: 'RecordStoreError' })
  })

  test('values reach their columns in a file to which columns were added later', async () => {
    const path = fileOf('added')
    await (await openDuckDBStore(path)).close()
    const file = await DuckDBInstance.create(path)
    const connection = await file.connect()
    await connection.run('alter table http_requests drop column "ClientCountry"')
    connection.closeSync()
    file.closeSync()
    const store = await openDuckDBStore(path)
    await store.append(
      batchOf([requestRecord(Date.UTC(2026, 0, 2), { ClientCountry: 'nz', ClientIP: '192.0.2.7' })]),
    )
    assert.deepEqual(
      await store.rows(sql`select "ClientCountry" as country, "ClientIP" as ip from http_requests`),
      [{ country: 'nz', ip: '192.0.2.7' }],
    )
    await store.close()
  })

  test('a second process learns that the file is in use', async () => {
    const path = fileOf('used')
    const store = await openDuckDBStore(path)
    const script = fileURLToPath(new URL('../testing/append-forever.ts', import.meta.url))
    const child = spawn(process.execPath, [script, path], { stdio: ['ignore', 'ignore', 'pipe'] })
    assert.match(await text(child.stderr), /RecordStoreError: .* another process has the file open/)
    await store.close()
  })

  test('only the owner may enter the folder of the file', async () => {
    const store = await openDuckDBStore(fileOf('private'))
    await store.close()
    assert.equal(statSync(join(folder, 'private')).mode & 0o777, 0o700)
  })
})
