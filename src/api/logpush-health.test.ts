import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PartitionStats } from '../bus/index.ts'
import type { JobReport } from '../logpush/index.ts'
import { openTestApi, type TestApi } from './test-api.ts'

const nowMs = Date.parse('2026-08-12T22:30:00Z')
const asked: string[] = []
let report: JobReport = { state: 'disabled', oldestUndelivered: null, counts: [], lags: [] }

/** What is kept of the record log. */
let partitions: readonly PartitionStats[] = []

let api: TestApi
let health: string
let jobId: number
before(async () => {
  api = await openTestApi({
    clock: { nowMs: () => nowMs },
    reportJob: async (_job, sinceHour) => {
      asked.push(sinceHour)
      return report
    },
    records: {
      stats: async () => partitions,
      at: async () => 1,
      read: async () => [],
    },
  })
  const jobs = `${api.zonePath}/logpush/jobs`
  const made = await api.send('POST', jobs, { destination_conf: `file://${api.directory}/logs` })
  jobId = made.body.result.id
  health = `${jobs}/${jobId}/health`
})
after(() => api.close())

const none = { uploads: 0, lines: 0, bytes: 0, bytes_compressed: 0 }

test('a job of which nothing is known is up to date', async () => {
  const { status, body } = await api.send('GET', health)
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body.result, {
    state: 'disabled',
    lag_seconds: 0,
    oldest_undelivered: null,
    last_complete: null,
    last_error: null,
    error_message: null,
    totals: { successful: none, retry: none, failed: none, missing: none },
    hours: [],
    lags: [],
    retained_since: null,
  })
})

test('hours are added up by what came of the uploads', async () => {
  const lastComplete = '2026-08-12T22:00:00.000000Z'
  const lastError = '2026-08-12T22:29:00.000000Z'
  await api.store.jobs.report(jobId, { lastComplete, lastError, errorMessage: 'away', paused: false })
  const oldest = '2026-08-12T22:28:59.500Z'
  const count = { jobId, uploads: 1, lines: 10, bytes: 100, bytesCompressed: 7 }
  const [first, second] = ['2026-08-12T21:00:00Z', '2026-08-12T22:00:00Z'] as const
  report = {
    state: 'retrying',
    oldestUndelivered: oldest,
    counts: [
      { ...count, hour: first, outcome: 'successful', status: '200' },
      { ...count, hour: first, outcome: 'missing', status: '', uploads: 0 },
      { ...count, hour: second, outcome: 'failed', status: '403' },
      { ...count, hour: second, outcome: 'retry', status: '503', uploads: 3 },
      { ...count, hour: second, outcome: 'successful', status: '200', lines: 5 },
    ],
    lags: [
      { jobId, hour: first, secondsMax: 0 },
      { jobId, hour: second, secondsMax: 61 },
    ],
  }
  const partition = { bytes: 1, head: 1, delivered: 0, dropped: 0 }
  partitions = [
    { ...partition, partition: 'edge-1', oldestMs: nowMs - 3_600_000 },
    { ...partition, partition: 'edge-2', oldestMs: nowMs - 9_000_000 },
    { ...partition, partition: 'edge-3', oldestMs: null },
  ]
  const { body } = await api.send('GET', health)
  const { hours, ...rest } = body.result
  const amounts = { uploads: 1, lines: 10, bytes: 100, bytes_compressed: 7 }
  assert.deepEqual(rest, {
    state: 'retrying',
    lag_seconds: 60,
    oldest_undelivered: oldest,
    last_complete: lastComplete,
    last_error: lastError,
    error_message: 'away',
    totals: {
      successful: { uploads: 2, lines: 15, bytes: 200, bytes_compressed: 14 },
      retry: { ...amounts, uploads: 3 },
      failed: amounts,
      missing: { ...amounts, uploads: 0 },
    },
    lags: [
      { hour: first, lag_seconds_max: 0 },
      { hour: second, lag_seconds_max: 61 },
    ],
    // The older of both partitions; one that is empty says nothing.
    retained_since: '2026-08-12T20:00:00.000000Z',
  })
  assert.equal(hours.length, 5)
  assert.deepEqual(hours[2], { hour: second, outcome: 'failed', status: '403', ...amounts })
})

test('what is asked of begins with an hour, a day ago unless said', async () => {
  for (const [query, hour] of [
    ['', '2026-08-11T22:00:00Z'],
    ['?since=2026-08-12T22:29:59Z', '2026-08-12T22:00:00Z'],
    ['?since=2026-08-12T22:30:00Z', '2026-08-12T22:00:00Z'],
    ['?since=2026-08-12T23:59:59%2B02:00', '2026-08-12T21:00:00Z'],
    ['?since=2026-07-13T22:00:00Z', '2026-07-13T22:00:00Z'],
  ] as const) {
    asked.length = 0
    const { status } = await api.send('GET', `${health}${query}`)
    assert.equal(status, 200, query)
    assert.deepEqual(asked, [hour], query)
  }
  for (const [query, message] of [
    ['since=yesterday', /RFC 3339/],
    ['since=', /RFC 3339/],
    ['since=2026-08-12T22:30:01Z', /in the future/],
    ['since=2026-07-13T21:59:59Z', /more than 30 days ago/],
    ['until=2026-08-12T22:30:01Z', /unknown field/],
  ] as const) {
    const { status, body } = await api.send('GET', `${health}?${query}`)
    assert.equal(status, 400, query)
    assert.match(body.errors[0].message, message)
  }
  assert.equal((await api.send('GET', `${api.zonePath}/logpush/jobs/99999/health`)).status, 404)
})
