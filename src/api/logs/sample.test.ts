import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { openLocalRecordLog, type RecordLog, type RecordReader } from '../../bus/index.ts'
import { openTestApi, type TestApi } from '../testing/test-api.ts'
import { logSampleLimits } from './limits.ts'

let aheadMs = 0
const beganMs = Date.now()
/** Stands still: how long this machine takes is no limit here. */
const clock = { nowMs: () => beganMs + aheadMs }

let api: TestApi
let log: RecordLog
let reader: RecordReader
/** The records that the next calls read instead of the log. */
let readInstead: RecordReader['read'] | undefined
const other = 'f'.repeat(32)

before(async () => {
  api = await openTestApi({
    clock,
    records: {
      log: 'spool',
      stats: () => reader.stats(),
      at: (partition, ms) => reader.at(partition, ms),
      read: (...what) => (readInstead ?? ((...all) => reader.read(...all)))(...what),
    },
  })
  log = openLocalRecordLog(join(api.directory, 'spool'), fault => assert.fail(fault.message))
  for (const partition of ['edge-1', 'edge-2']) {
    const writer = await log.writer(partition)
    const append = (zone: string, dataset: string, fields: object) =>
      writer.append(JSON.stringify({ zone, account: api.accountId, dataset, fields }))
    // More than one chunk, so that reading back goes over several.
    for (let n = 0; n < logSampleLimits.chunkRecords * 2; n++) append(other, 'http_requests', { RayID: 'x' })
    for (let n = 1; n <= 3; n++)
      append(api.zoneId, 'http_requests', { RayID: `${partition}-${n}`, EdgeResponseStatus: 200 + n })
    append(api.zoneId, 'firewall_events', { RayID: `${partition}-event` })
    for (let n = 0; n < logSampleLimits.chunkRecords + 1; n++) append(other, 'http_requests', { RayID: 'x' })
    await writer.flush()
    // So that the records of the partitions were received at times that differ.
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  reader = await log.reader()
})
after(async () => {
  await log.close()
  await api.close()
})
beforeEach(() => {
  readInstead = undefined
  // Past the minute of the requests that the test before has made.
  aheadMs += 60_000
})

const sample = (query = '') => api.send('GET', `${api.zonePath}/logs/sample${query}`)
const rays = (body: { readonly result: { readonly records: readonly { readonly RayID: string }[] } }) =>
  body.result.records.map(({ RayID }) => RayID)

test('the newest records of the zone, newest first, over all partitions', async () => {
  const { status, body } = await sample()
  assert.equal(status, 200)
  assert.deepEqual(rays(body), ['edge-2-3', 'edge-2-2', 'edge-2-1', 'edge-1-3', 'edge-1-2', 'edge-1-1'])
  assert.equal(body.result.records[0].EdgeResponseStatus, 203)
  assert.equal(body.result.limited, false)
  assert.equal(body.result.looked_at, 2 * (logSampleLimits.chunkRecords * 3 + 5))
  assert.ok(Date.parse(body.result.newest) > Date.parse(body.result.oldest))
})

test('count, dataset and fields choose', async () => {
  assert.deepEqual(rays((await sample('?count=4')).body), ['edge-2-3', 'edge-2-2', 'edge-2-1', 'edge-1-3'])
  assert.deepEqual(rays((await sample('?dataset=firewall_events')).body), ['edge-2-event', 'edge-1-event'])
  const { body } = await sample('?count=1&fields=EdgeResponseStatus,ClientIP')
  assert.deepEqual(body.result.records, [{ EdgeResponseStatus: 203 }])
  const none = (await api.send('GET', `${api.zonePath}/logs/sample?dataset=firewall_events&count=1`)).body
  assert.equal(none.result.records.length, 1)
})

test('invalid queries are refused', async () => {
  for (const [query, want] of [
    ['?count=0', /count/],
    [`?count=${logSampleLimits.countMax + 1}`, /count/],
    ['?dataset=audit_logs', /dataset/],
    ['?fields=RayId', /did you mean RayID\?/],
    ['?fields=Action', /http_requests has no such field/],
    ['?since=1', /unknown field "since"/],
  ] as const) {
    const { status, body } = await sample(query)
    assert.equal(status, 400, query)
    assert.match(body.errors[0].message, want, query)
  }
  assert.equal((await sample(`?count=${logSampleLimits.countMax}`)).status, 200)
})

test('reading ends at its limits, and the response reports it', async () => {
  let ms = clock.nowMs()
  const slow: RecordReader['read'] = async (...what) => {
    aheadMs += logSampleLimits.readMsMax / 4
    return reader.read(...what)
  }
  readInstead = slow
  const { body } = await sample()
  assert.equal(body.result.limited, true)
  assert.ok(body.result.looked_at <= 5 * logSampleLimits.chunkRecords)
  assert.deepEqual(rays(body).length > 0, true)
  ms = clock.nowMs() - ms
  assert.ok(ms >= logSampleLimits.readMsMax)
})

test('a log that cannot be read is a refusal', async () => {
  readInstead = async () => Promise.reject(new Error('disk'))
  const { status, body } = await sample()
  assert.deepEqual([status, body.errors[0].code], [503, 10473])
})

test('data that is not a record is skipped', async () => {
  readInstead = async (...what) => {
    const chunk = await reader.read(...what)
    const others = [api.zoneId, `{"zone":"${api.zoneId}","dataset":"http_requests","fields":7}`]
    return chunk.map((one, at) => ({ ...one, record: others[at] ?? one.record }))
  }
  const { status, body } = await sample('?fields=RayID')
  assert.equal(status, 200)
  assert.equal(body.result.records.length, 6)
})

test('the samples of a zone per minute are limited', async () => {
  for (let n = 0; n < logSampleLimits.zoneRequestsMax; n++)
    assert.equal((await sample('?count=1')).status, 200)
  const { status, body } = await sample()
  assert.equal(status, 429)
  assert.match(body.errors[0].message, /per zone and minute; try again in \d+ s$/)
  aheadMs += 60_000
  assert.equal((await sample()).status, 200)
})
