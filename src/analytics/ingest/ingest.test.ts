import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { openLocalRecordLog } from '../../bus/index.ts'
import { zoneOverview } from '../queries/overview.ts'
import { openDuckDBStore } from '../records/duckdb/store.ts'
import { openWhenUsed } from '../records/open-when-used.ts'
import type { RecordStore } from '../records/port.ts'
import { eventRecord, ingest, keptForever, logOf, requestRecord, zoneA } from '../testing/fill.ts'
import { Failures } from './failures.ts'

const noonMs = Date.UTC(2026, 0, 2, 12)
const hourMs = 3_600_000
const day = { sinceMs: noonMs - 24 * hourMs, untilMs: noonMs }

const directory = mkdtempSync(join(tmpdir(), 'sluice-ingest-'))
let stores = 0
let store: RecordStore
beforeEach(async () => {
  await store?.close()
  store = await openDuckDBStore(join(directory, `${++stores}.duckdb`))
})
after(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

async function counts(): Promise<{ readonly requests: number; readonly events: number }> {
  const { requests, events } = await zoneOverview(store, zoneA, day)
  return { requests, events }
}

test('every record is counted once, however often the ingest restarts', async () => {
  const log = Array.from({ length: 12_000 }, () => requestRecord(noonMs - 1))
  for (const read of [1, 10_000, 10_001, 12_000]) {
    const { partitions } = await ingest(store, logOf(log.slice(0, read)))
    assert.deepEqual(partitions, [{ partition: 'p', sequence: read, head: read, missing: 0 }])
    assert.deepEqual(await counts(), { requests: read, events: 0 })
  }
})

test('other records than those of the edge are skipped', async () => {
  const other = [
    'not json',
    '{}',
    '[]',
    JSON.stringify({ zone: zoneA, account: zoneA, dataset: 'http_requests', fields: null }),
    JSON.stringify({ zone: zoneA, account: zoneA, dataset: 'audit_logs', fields: {} }),
    requestRecord(noonMs - 1, { EdgeStartTimestamp: 'yesterday' }),
    eventRecord(noonMs - 1, { RayID: 'no ray' }),
  ]
  const strange = [
    eventRecord(noonMs - 1, { Metadata: 7 }),
    eventRecord(noonMs - 1, { Metadata: { rules: [null, 7, { id: 3 }] } }),
    requestRecord(noonMs - 1, {
      MatchedRules: [null, { rules: 'x' }, { rules: [null] }],
      SecurityRuleIDs: 7,
    }),
    requestRecord(noonMs - 1, { EdgeResponseBytes: Number.MAX_SAFE_INTEGER, ClientRequestBytes: 'x' }),
  ]
  const { failures } = await ingest(store, logOf([...other, ...strange, requestRecord(noonMs - 1)]))
  assert.equal(failures, 0)
  assert.deepEqual(await counts(), { requests: 3, events: 2 })
})

test('records that were gone before they were read are counted as missing, but not those before the first', async () => {
  const record = requestRecord(noonMs - 1)
  const read = (sequences: readonly number[]) => ({
    partitions: async () => ['p'],
    head: async () => sequences.at(-1)!,
    read: async (_: string, after: number) =>
      sequences.filter(sequence => sequence > after).map(sequence => ({ sequence, receivedMs: 0, record })),
  })
  assert.equal((await ingest(store, read([5, 6]))).partitions[0]!.missing, 0)
  assert.equal((await ingest(store, read([9, 10]))).partitions[0]!.missing, 2)
  assert.deepEqual(await counts(), { requests: 4, events: 0 })
})

test('a recreated log is read from its start', async () => {
  const spool = join(directory, 'spool')
  for (const [count, requests] of [
    [3, 3],
    [5, 8],
  ] as const) {
    rmSync(spool, { recursive: true, force: true })
    const log = await openLocalRecordLog(spool, fault => assert.fail(fault.message))
    const writer = await log.writer('w')
    for (let n = 0; n < count; n++) writer.append(requestRecord(noonMs - 1))
    await writer.flush()
    await ingest(store, await log.reader())
    assert.deepEqual(await counts(), { requests, events: 0 })
    await log.close()
  }
})

test('a partition that cannot be read delays neither the others nor the keeper', async () => {
  await ingest(store, logOf([eventRecord(noonMs - 2 * hourMs)]))
  const good = logOf([requestRecord(noonMs - 1), requestRecord(noonMs - 1)])
  const errors: unknown[] = []
  const reader = {
    ...good,
    partitions: async () => ['broken', 'good'],
    read: async (...[partition, from, limits]: Parameters<typeof good.read>) => {
      if (partition === 'broken') throw new Error('a frame is damaged')
      return good.read(partition, from, limits)
    },
  }
  await ingest(store, reader, {
    kept: { ...keptForever, ageMs: hourMs },
    onError: (_, error) => void errors.push((error as Error).message),
  })
  assert.deepEqual(errors, ['a frame is damaged'])
  assert.deepEqual(await counts(), { requests: 2, events: 0 })
})

test('a failure that lasts is reported once, and again after it has ended', () => {
  const reported: string[] = []
  const failures = new Failures(error => reported.push((error as Error).message))
  for (const message of ['away', 'away', 'gone', 'gone']) failures.add(new Error(message))
  failures.end()
  failures.add(new Error('gone'))
  assert.deepEqual({ reported, count: failures.count }, { reported: ['away', 'gone', 'gone'], count: 5 })
})

test('records that are too old, or dated in the future, are not stored, and old rows are removed', async () => {
  const kept = { ...keptForever, ageMs: hourMs }
  const times = [noonMs - hourMs - 1, noonMs - hourMs, noonMs + 25 * hourMs]
  await ingest(store, logOf(times.map(ms => requestRecord(ms))), { kept })
  assert.deepEqual(await counts(), { requests: 1, events: 0 })
  await ingest(store, logOf(times.map(ms => requestRecord(ms))), {
    kept,
    clock: { nowMs: () => noonMs + 1 },
  })
  assert.deepEqual(await counts(), { requests: 0, events: 0 })
})

test('when the space is used up, the oldest rows are removed', async () => {
  const log = Array.from({ length: 100 }, (_, n) => requestRecord(noonMs - 100 + n))
  await ingest(store, logOf(log), { kept: { ...keptForever, bytes: 1 } })
  const { requests } = await zoneOverview(store, zoneA, day)
  assert.ok(requests < 100)
  const newest = { sinceMs: noonMs - 1, untilMs: noonMs }
  assert.equal((await zoneOverview(store, zoneA, newest)).requests, requests)
})

test('a log without records opens no store', async () => {
  const unused = openWhenUsed(() => assert.fail('opened'))
  const { bytes, failures } = await ingest(unused, { ...logOf([]), partitions: async () => ['p'] })
  assert.deepEqual({ bytes, failures }, { bytes: 0, failures: 0 })
  await unused.close()
})
