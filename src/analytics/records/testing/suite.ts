import assert from 'node:assert/strict'
import { test } from 'node:test'
import { always, eventRecord, managedMetadata, requestRecord, zoneA } from '../../testing/fill.ts'
import { decode } from '../decode.ts'
import type { Batch, RecordStore } from '../port.ts'
import { joined, sql, trusted } from '../sql.ts'

/** A store for one test, and another view of its data as after a restart. */
export interface StoreUnderTest {
  /** @param name of the data; a second call with the same name opens it again */
  open(name: string): Promise<RecordStore>
}

const atMs = Date.UTC(2026, 0, 2, 10)

/** A retention that no record of a test exceeds. */
export const keptMs = 50 * 365 * 86_400_000

/** Records of one partition after `after`, numbered from there. */
export function batchOf(records: readonly string[], after = 0, partition = 'edge-1.0a'): Batch {
  const numbered = records.map((record, at) => ({ sequence: after + at + 1, receivedMs: 0, record }))
  const last = after + records.length
  return { partition, after, last, missing: 0, tables: decode(partition, numbered, always) }
}

/** The behaviour of every engine. */
export function recordStoreSuite({ open }: StoreUnderTest): void {
  test('a batch is appended exactly once, also after a restart', async () => {
    const batch = batchOf([requestRecord(atMs), eventRecord(atMs), requestRecord(atMs + 1)])
    const store = await open('once')
    assert.deepEqual(await store.position(batch.partition), { sequence: 0, missing: 0 })
    assert.equal(await store.append(batch), true)
    assert.equal(await store.append(batch), false)
    await store.close()
    const again = await open('once')
    assert.equal(await again.append(batch), false)
    assert.deepEqual(await again.position(batch.partition), { sequence: 3, missing: 0 })
    assert.equal(await again.append({ ...batchOf([requestRecord(atMs + 2)], 5), after: 3, missing: 2 }), true)
    assert.deepEqual(await again.position(batch.partition), { sequence: 6, missing: 2 })
    assert.equal(await again.append(batchOf([requestRecord(atMs)], 0, 'edge-2.0b')), true)
    assert.deepEqual(await again.rows(sql`select count(*) as n from http_requests`), [{ n: 4 }])
    assert.deepEqual(await again.rows(sql`select count(*) as n from firewall_events`), [{ n: 1 }])
    assert.ok((await again.usedBytes()) > 0)
    await again.close()
  })

  test('values keep their type; missing and wrong ones are empty', async () => {
    const store = await open('values')
    const text = 'NUL \0, quote " and \', emoji 🧱, lone \ud800, end'
    const known = {
      ClientRequestPath: text,
      RequestHeaders: { 'x-one': 'a' },
      SecurityActions: ['block', text],
      ClientSrcPort: 2 ** 53 - 1,
      EdgeResponseCompressionRatio: 2.5,
      EdgeEndTimestamp: '1767348000123456789',
    }
    const wrong = {
      ClientRequestPath: 5,
      RequestHeaders: 'no',
      SecurityActions: [1, 'log'],
      ClientSrcPort: -1.5,
    }
    await store.append(batchOf([requestRecord(atMs, known), requestRecord(atMs + 1, wrong)]))
    const columns = [...Object.keys(known), 'mitigated'].map(name => trusted(`"${name}"`))
    const rows = await store.rows<Record<string, unknown>>(
      sql`select ${joined(columns, ', ')}, toUnixTimestamp64Milli(time) as ms from http_requests order by time`,
    )
    const { EdgeEndTimestamp: ended, ...first } = rows[0]!
    const { EdgeEndTimestamp: _, ...kept } = known
    const written = 'NUL \0, quote " and \', emoji 🧱, lone \ufffd, end'
    const strings = { ClientRequestPath: written, SecurityActions: ['block', written] }
    assert.deepEqual(first, {
      ...kept,
      ...strings,
      RequestHeaders: '{"x-one":"a"}',
      mitigated: false,
      ms: atMs,
    })
    assert.ok(ended)
    assert.deepEqual(
      { ...rows[1], EdgeEndTimestamp: 0 },
      {
        ClientRequestPath: '',
        RequestHeaders: '',
        SecurityActions: ['log'],
        ClientSrcPort: 0,
        EdgeResponseCompressionRatio: 0,
        EdgeEndTimestamp: 0,
        mitigated: false,
        ms: atMs + 1,
      },
    )
    await store.close()
  })

  test('texts of every length and character arrive in their rows, however many there are', async () => {
    const store = await open('texts')
    const parts = [
      '',
      'a',
      'twelve bytes',
      'thirteen byte',
      'é',
      'ééééééé',
      '🧱🧱🧱',
      'end \ud83e',
      '\uddf1 begin',
      '\0\0',
      'x'.repeat(300_000),
    ]
    const count = 5000
    const textOf = (n: number) =>
      `${parts[n % parts.length]}${n % 3 === 0 ? n : ''}`.slice(0, n % 1000 === 10 ? undefined : 400)
    const listOf = (n: number) => Array.from({ length: n % 4 }, (_, at) => textOf(n + at))
    const records = Array.from({ length: count }, (_, n) =>
      requestRecord(atMs + n, {
        ClientRequestPath: textOf(n),
        SecurityActions: listOf(n),
        RequestHeaders: { 'x-one': textOf(n) },
        EdgeResponseBytes: n * 2 ** 20,
      }),
    )
    await store.append(batchOf(records))
    const rows = await store.rows<Record<string, unknown>>(
      sql`select "ClientRequestPath" as path, "SecurityActions" as actions, "RequestHeaders" as headers,
        "EdgeResponseBytes" as bytes from http_requests order by time`,
    )
    assert.equal(rows.length, count)
    for (const [n, row] of rows.entries())
      assert.deepEqual(row, {
        path: textOf(n).toWellFormed(),
        actions: listOf(n).map(text => text.toWellFormed()),
        headers: JSON.stringify({ 'x-one': textOf(n) }),
        bytes: n * 2 ** 20,
      })
    await store.close()
  })

  test('records that no edge writes do not stop the batch', async () => {
    const store = await open('hostile')
    const ends = ['9223372036854775807', '9223372036854775809', '99999999999999999999'].map(end =>
      requestRecord(atMs, { EdgeEndTimestamp: end }),
    )
    const owner = JSON.stringify({
      zone: { toString: 1, valueOf: 1 },
      account: 'a',
      dataset: 'http_requests',
    })
    const deep = requestRecord(atMs, { RequestHeaders: {} }).replace(
      '"RequestHeaders":{}',
      `"RequestHeaders":${'{"a":'.repeat(100_000)}"🧱"${'}'.repeat(100_000)}`,
    )
    const nowhere = `${owner.slice(0, -1)},"fields":{"EdgeStartTimestamp":"${atMs}000000"}}`
    await store.append(batchOf([...ends, nowhere, deep, 'no record', requestRecord(atMs + 1)]))
    assert.deepEqual(await store.rows(sql`select count(*) as n from http_requests`), [{ n: 5 }])
    await store.close()
  })

  test('queries have the same functions on every engine', async () => {
    const store = await open('functions')
    const Metadata = managedMetadata('941100', '942100')
    const events = [
      eventRecord(atMs, { Metadata, Source: 'firewallManaged' }),
      eventRecord(atMs + 90_000, { Action: 'LOG' }),
    ]
    await store.append(batchOf(events))
    const inRange = sql`from firewall_events where zone = ${zoneA}
      and time >= fromUnixTimestamp64Milli(${atMs}) and time < fromUnixTimestamp64Milli(${atMs + 3_600_000})`
    const rows: [ReturnType<typeof sql>, readonly unknown[]][] = [
      [
        sql`select intDiv(toUnixTimestamp64Milli(time), ${60_000}) - ${atMs / 60_000} as step, count(*) as n,
          countIf(mitigated) as held ${inRange} group by step order by step`,
        [
          { step: 0, n: 1, held: 1 },
          { step: 1, n: 1, held: 0 },
        ],
      ],
      [
        sql`select arrayJoin(rules) as rule ${inRange} order by rule`,
        [{ rule: 'id-941100 941100' }, { rule: 'id-942100 942100' }],
      ],
      [
        sql`select "Source" as source ${inRange} and has(rules, ${'id-941100 941100'})`,
        [{ source: 'firewallmanaged' }],
      ],
      [sql`select count(*) as n ${inRange} and has(${['log', "it's"]}, "Action")`, [{ n: 1 }]],
      [
        sql`select JSONExtractString("Metadata", ${'type'}) as type ${inRange} order by time`,
        [{ type: 'managed' }, { type: 'customer' }],
      ],
    ]
    for (const [query, want] of rows) assert.deepEqual(await store.rows(query), want)
    await assert.rejects(store.rows(sql`select nothing from nowhere`), {
      name: 'RecordStoreError',
      code: 'failed',
    })
    await store.close()
  })

  test('rows of the past are removed, positions stay', async () => {
    const store = await open('removal')
    const batch = batchOf([
      requestRecord(atMs),
      requestRecord(atMs + 1),
      eventRecord(atMs),
      eventRecord(atMs + 1),
    ])
    await store.append(batch)
    await store.removeBefore(atMs + 1)
    for (const table of ['http_requests', 'firewall_events'])
      assert.deepEqual(
        await store.rows(sql`select toUnixTimestamp64Milli(time) as ms from ${trusted(table)}`),
        [{ ms: atMs + 1 }],
      )
    assert.equal((await store.position(batch.partition)).sequence, 4)
    await store.close()
  })

  test('queries are answered while a batch is appended', async () => {
    const store = await open('beside')
    let appended = false
    const records = Array.from({ length: 3000 }, (_, n) => requestRecord(atMs + n))
    const appending = store.append(batchOf(records)).then(() => {
      appended = true
    })
    const counts: number[] = []
    while (!appended) {
      const [row] = await store.rows<{ n: number }>(sql`select count(*) as n from http_requests`)
      counts.push(row!.n)
    }
    await appending
    assert.ok(counts.every(n => n === 0 || n === 3000))
    assert.deepEqual(await store.rows(sql`select count(*) as n from http_requests`), [{ n: 3000 }])
    await store.close()
  })
}
