import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PartitionStats } from '../../bus/index.ts'
import type { JobReport } from '../../logpush/index.ts'
import { openTestApi, type TestApi } from '../testing/test-api.ts'

const nowMs = Date.parse('2026-08-12T22:30:00Z')
const asked: string[] = []
let report: JobReport = { state: 'disabled', oldestUndelivered: null, counts: [], lags: [], lost: 0, held: 0 }

/** The stored part of the record log. */
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
    records: { log: 'spool', stats: async () => partitions, at: async () => 1, read: async () => [] },
  })
  const jobs = `${api.zonePath}/logpush/jobs`
  const made = await api.send('POST', jobs, { destination_conf: `file://${api.directory}/logs` })
  jobId = made.body.result.id
  health = `${jobs}/${jobId}/health`
})
after(() => api.close())

const none = { uploads: 0, lines: 0, bytes: 0, bytes_compressed: 0 }

test('a job without reports is up to date', async () => {
  const { status, body } = await api.send('GET', health)
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body.result, {
    state: 'disabled',
    behind: false,
    lag_seconds: 0,
    oldest_undelivered: null,
    last_complete: null,
    last_error: null,
    error_message: null,
    faults: [],
    totals: { successful: none, retry: none, failed: none, missing: none, reset: none },
    hours: [],
    lags: [],
    retained_since: null,
  })
})

test('hours are added up by upload result', async () => {
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
    lost: 3,
    held: 40,
  }
  const partition = { bytes: 1, first: 1, head: 1, delivered: 0, dropped: 0 }
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
    behind: false,
    lag_seconds: 60,
    oldest_undelivered: oldest,
    last_complete: lastComplete,
    last_error: lastError,
    error_message: 'away',
    faults: [
      {
        code: 'records_lost',
        records: 13,
        message: '13 log records were dropped before the job had delivered them',
      },
      {
        code: 'log_full',
        records: 40,
        message:
          'the record log is full and requests are refused with 503: 40 log records wait for this job; fix or disable it, or enlarge the record log',
      },
    ],
    totals: {
      successful: { uploads: 2, lines: 15, bytes: 200, bytes_compressed: 14 },
      retry: { ...amounts, uploads: 3 },
      failed: amounts,
      missing: { ...amounts, uploads: 0 },
      reset: none,
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

test('a record log with a writer and no delivering process is a fault of every enabled job', async () => {
  report = { state: 'running', oldestUndelivered: null, counts: [], lags: [], lost: 0, held: 0 }
  const faults = async () => (await api.send('GET', health)).body.result.faults
  await api.store.logs.write({ location: 'a', host: 'a', log: 'spool-a' }, 600_000)
  const [fault, ...others] = await faults()
  assert.deepEqual([fault.code, fault.records, others], ['log_unread', null, []])
  assert.match(fault.message, /^no process delivers the record log spool-a, /)
  const process = { id: 'a/1', location: 'a', log: 'spool-a' }
  await api.store.leases.beat(process, 600_000, true)
  assert.deepEqual(await faults(), [])
  await api.store.leases.leave(process.id)
  assert.equal((await faults()).length, 1)
  await api.store.logs.leave('a')
  assert.deepEqual(await faults(), [])
})

test('counts begin at an hour, by default a day ago', async () => {
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

test('a job is behind when its oldest record waits longer than the upload interval', async () => {
  const lagged = async (seconds: number) => {
    report = {
      ...report,
      state: 'running',
      oldestUndelivered: new Date(nowMs - seconds * 1000).toISOString(),
    }
    return (await api.send('GET', health)).body.result
  }
  // Objects every 30 s, and two minutes beyond.
  assert.equal((await lagged(150)).behind, false)
  assert.equal((await lagged(151)).behind, true)
})

test('the overview names failing jobs of all zones, stopped jobs first', async () => {
  const add = async (path: string, name: string, more: object = {}) => {
    const body = { name, destination_conf: 'stdout://', enabled: true, ...more }
    return (await own.send('POST', `${path}/logpush/jobs`, body)).body.result.id as number
  }
  const own = await openTestApi({
    clock: { nowMs: () => nowMs },
    reportJob: async job => ({
      state: !job.enabled ? 'disabled' : job.paused ? 'paused' : job.errorMessage ? 'retrying' : 'running',
      oldestUndelivered: job.name === 'late' ? new Date(nowMs - 1_980_000).toISOString() : null,
      counts: [
        {
          jobId: job.id,
          hour: '2026-08-12T22:00:00Z',
          outcome: 'successful',
          status: '',
          uploads: 1,
          lines: 7,
          bytes: 1,
          bytesCompressed: 1,
        },
      ],
      lags: [],
      lost: 0,
      held: 0,
    }),
  })
  try {
    const account = `/accounts/${own.accountId}`
    await add(own.zonePath, 'off', { enabled: false })
    const late = await add(own.zonePath, 'late')
    const stopped = await add(own.zonePath, 'stopped')
    const retrying = await add(account, 'retrying')
    await add(account, 'well')
    const trouble = { lastComplete: null, lastError: '2026-08-12T22:29:00Z', errorMessage: 'away' }
    await own.store.jobs.report(retrying, { ...trouble, paused: false })
    await own.store.jobs.report(stopped, { ...trouble, paused: true })
    const { status, body } = await own.send('GET', `${account}/logpush/overview`)
    assert.equal(status, 200, JSON.stringify(body))
    const { worst, ...sums } = body.result
    assert.deepEqual(sums, {
      jobs: 5,
      enabled: 4,
      looked_at: 4,
      stopped: 1,
      retrying: 1,
      behind: 1,
      lag_seconds_max: 1980,
      lines: 28,
    })
    const zone = { id: own.zoneId, name: (await own.send('GET', own.zonePath)).body.result.name }
    assert.deepEqual(worst, [
      {
        job_id: stopped,
        name: 'stopped',
        zone,
        state: 'paused',
        behind: false,
        lag_seconds: 0,
        error_message: 'away',
      },
      {
        job_id: retrying,
        name: 'retrying',
        zone: null,
        state: 'retrying',
        behind: false,
        lag_seconds: 0,
        error_message: 'away',
      },
      {
        job_id: late,
        name: 'late',
        zone,
        state: 'running',
        behind: true,
        lag_seconds: 1980,
        error_message: null,
      },
    ])
    const { result } = (await own.send('GET', `${own.zonePath}/logpush/overview`)).body
    assert.deepEqual([result.jobs, result.enabled, result.stopped, result.behind], [3, 2, 1, 1])
    assert.deepEqual(
      result.worst.map(({ job_id }: { job_id: number }) => job_id),
      [stopped, late],
      'without the jobs of the account',
    )
  } finally {
    await own.close()
  }
})
