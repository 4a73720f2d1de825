import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { ReplayRangeError, type ReplayRequest } from '../../logpush/index.ts'
import { jobLimits } from '../../store/limits.ts'
import { newReplay, openTestApi, type TestApi } from '../testing/test-api.ts'

const nowMs = Date.parse('2026-08-12T22:00:00Z')
const hour = { start: '2026-08-12T20:00:00Z', end: '2026-08-12T21:00:00Z' }
/** The stored records. */
const keptMs = Date.parse('2026-08-01T00:00:00Z')
const requests: ReplayRequest[] = []

let api: TestApi
let job: string
let jobId: number
before(async () => {
  api = await openTestApi({
    clock: { nowMs: () => nowMs },
    replayJob: async ({ id }, request, audit) => {
      requests.push(request)
      if (request.endMs <= keptMs) throw new ReplayRangeError(keptMs)
      const { start, end } = request
      const replay = { ...newReplay, jobId: id, start, end }
      return api.store.replays.insert(replay, new Map([['edge-1', 1]]), new Map([['edge-1', 9]]), audit)
    },
  })
})
beforeEach(async () => {
  requests.length = 0
  const jobs = `${api.zonePath}/logpush/jobs`
  const body = { destination_conf: `file://${api.directory}/logs`, enabled: true }
  jobId = (await api.send('POST', jobs, body)).body.result.id
  job = `${jobs}/${jobId}`
})
after(() => api.close())

test('a replay is created, listed and read', async () => {
  const made = await api.send('POST', `${job}/replay`, hour)
  assert.equal(made.status, 200, JSON.stringify(made.body))
  assert.deepEqual(made.body.result, {
    id: 1,
    job_id: jobId,
    ...hour,
    retained_since: null,
    status: 'running',
    created_on: newReplay.createdOn,
    completed_on: null,
    lines: 0,
    objects: 0,
    error_message: null,
  })
  const second = (await api.send('POST', `${job}/replay`, hour)).body.result
  assert.deepEqual((await api.send('GET', `${job}/replays`)).body.result, [second, made.body.result])
  assert.deepEqual((await api.send('GET', `${job}/replays/1`)).body.result, made.body.result)
  const { body: trail } = await api.send('GET', `/accounts/${api.accountId}/audit_logs?per_page=2`)
  assert.deepEqual(
    trail.result.map((entry: { readonly resource: object }) => entry.resource),
    [`${jobId}/2`, `${jobId}/1`].map(id => ({ id, type: 'logpush_replay' })),
  )
  assert.deepEqual(trail.result[1].newValueJson, made.body.result)
})

test('a replay names the record logs that it does not cover', async () => {
  const process = { id: 'b/1', location: 'b', log: 'spool-b' }
  await api.store.leases.beat(process, 600_000, true)
  await api.store.logs.write({ location: 'c', host: 'c', log: 'spool-c' }, 600_000)
  const { body } = await api.send('POST', `${job}/replay`, hour)
  assert.deepEqual(
    body.messages.map(({ message }: { readonly message: string }) => message),
    ['a replay is of one record log, here spool; for the records of spool-b, spool-c ask there, too'],
  )
  await api.store.leases.leave(process.id)
  await api.store.logs.leave('c')
  assert.deepEqual((await api.send('POST', `${job}/replay`, hour)).body.messages, [])
})

test('times have the forms of Logpull and are returned as RFC 3339', async () => {
  const [startMs, endMs] = [Date.parse(hour.start), Date.parse(hour.end)]
  const long = { start: '2026-08-12T20:00:00.000000Z', end: '2026-08-12T21:00:00.000000Z' }
  for (const [body, shown] of [
    [hour, hour],
    [{ start: startMs / 1000, end: endMs / 1000 }, long],
    [{ start: `${startMs / 1000}`, end: `${endMs}000000` }, long],
    [
      { ...hour, start: '2026-08-12T22:00:00+02:00' },
      { ...hour, start: '2026-08-12T22:00:00+02:00' },
    ],
  ]) {
    const { status, body: answer } = await api.send('POST', `${job}/replay`, body)
    assert.equal(status, 200, JSON.stringify(answer))
    assert.deepEqual({ start: answer.result.start, end: answer.result.end }, shown)
    assert.deepEqual(requests.pop(), { ...shown, startMs, endMs })
  }
  assert.equal((await api.send('POST', `${job}/replay`, { ...hour, end: nowMs / 1000 })).status, 200)
})

test('an invalid replay is refused with a pointer', async () => {
  for (const [body, pointer, message] of [
    [{ end: hour.end }, '/start', /start is required/],
    [{ start: hour.start }, '/end', /end is required/],
    [{ ...hour, more: 1 }, '/more', /unknown field/],
    [{ ...hour, start: true }, '/start', /must be/],
    [{ ...hour, start: 'yesterday' }, '/start', /RFC 3339/],
    [{ ...hour, end: '1786566600000' }, '/end', /RFC 3339/],
    [{ ...hour, end: hour.start }, '/end', /later than start/],
    [{ ...hour, end: nowMs / 1000 + 1 }, '/end', /in the future/],
    [
      { start: '2026-07-31T00:00:00Z', end: '2026-08-01T00:00:00Z' },
      '/start',
      /no record of the range is stored any more: the oldest stored record .* 2026-08-01/,
    ],
  ] as const) {
    const { status, body: answer } = await api.send('POST', `${job}/replay`, body)
    assert.equal(status, 400, JSON.stringify(body))
    assert.equal(answer.errors[0].source.pointer, pointer, JSON.stringify(answer))
    assert.match(answer.errors[0].message, message)
  }
  assert.deepEqual((await api.send('GET', `${job}/replays`)).body.result, [])
})

test('a disabled job has no replays', async () => {
  await api.send('PUT', job, { enabled: false })
  const { status, body } = await api.send('POST', `${job}/replay`, hour)
  assert.equal(status, 400)
  assert.equal(body.errors[0].code, 10482)
  assert.deepEqual(requests, [])
})

test('the number of concurrent replays of a job is limited', async () => {
  for (let made = 0; made < jobLimits.replaysRunningMax; made++)
    assert.equal((await api.send('POST', `${job}/replay`, hour)).status, 200)
  const refused = await api.send('POST', `${job}/replay`, hour)
  assert.equal(refused.status, 403)
  assert.equal(refused.body.errors[0].code, 10483)
  const first = await api.store.replays.get(jobId, 1)
  assert.ok(first !== undefined)
  await api.store.replays.update({ ...first, status: 'completed', completedOn: first.createdOn })
  assert.equal((await api.send('POST', `${job}/replay`, hour)).status, 200)
})

test('unknown jobs and replays are 404', async () => {
  for (const [method, path, code] of [
    ['POST', `${api.zonePath}/logpush/jobs/99999/replay`, 1003],
    ['GET', `${api.zonePath}/logpush/jobs/99999/replays`, 1003],
    ['GET', `${api.zonePath}/logpush/jobs/99999/replays/1`, 1003],
    ['GET', `${job}/replays/1`, 10480],
    ['GET', `${job}/replays/0`, 10480],
    ['GET', `${job}/replays/x`, 10480],
  ] as const) {
    const { status, body } = await api.send(method, path, method === 'POST' ? hour : undefined)
    assert.equal(status, 404, path)
    assert.equal(body.errors[0].code, code, path)
  }
})
