import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Scope } from '../../model/resource.ts'
import { jobLimits } from '../../store/limits.ts'
import { openTestApi, type TestApi, token } from '../testing/test-api.ts'

let api: TestApi
let jobs: string
let zone: Scope
let destination: string
/** Below a file, so that nothing can be written. */
let blocked: string
before(async () => {
  api = await openTestApi()
  jobs = `${api.zonePath}/logpush/jobs`
  zone = { kind: 'zone', id: api.zoneId }
  destination = `file://${join(api.directory, 'logs')}`
  blocked = `file://${join(api.directory, 'sluice.db', 'logs')}`
})
after(() => api.close())

test('a job is created, read, changed and deleted', async () => {
  const made = await api.send('POST', jobs, {
    name: 'shop',
    destination_conf: destination,
    dataset: 'http_requests',
    logpull_options: 'fields=RayID,ClientIP&timestamps=rfc3339',
  })
  assert.equal(made.status, 200, JSON.stringify(made.body.errors))
  const job = made.body.result
  assert.deepEqual(job, {
    id: job.id,
    dataset: 'http_requests',
    kind: '',
    enabled: false,
    name: 'shop',
    destination_conf: destination,
    frequency: 'high',
    logpull_options: 'fields=RayID,ClientIP&timestamps=rfc3339',
    output_options: null,
    filter: job.filter,
    max_upload_bytes: null,
    max_upload_interval_seconds: null,
    max_upload_records: null,
    last_complete: null,
    last_error: null,
    error_message: null,
  })
  assert.ok(Number.isInteger(job.id) && job.id >= 1)
  assert.equal(api.startedJobs.length, 0)

  const path = `${jobs}/${job.id}`
  const changed = await api.send('PUT', path, { enabled: true })
  assert.deepEqual(changed.body.result, { ...job, enabled: true })
  assert.deepEqual(
    api.startedJobs.map(started => started.job.id),
    [job.id],
  )
  assert.deepEqual((await api.send('GET', path)).body.result, changed.body.result)
  assert.deepEqual((await api.send('GET', jobs)).body.result, [changed.body.result])

  const options = { field_names: ['RayID'], timestamp_format: 'rfc3339' }
  const replaced = await api.send('PUT', path, { output_options: options })
  assert.deepEqual(replaced.body.result?.output_options, options, JSON.stringify(replaced.body.errors))

  assert.deepEqual((await api.send('DELETE', path)).body.result, { id: job.id })
  for (const method of ['GET', 'DELETE'] as const) assert.equal((await api.send(method, path)).status, 404)
  assert.equal((await api.send('PUT', path, { enabled: false })).status, 404)
})

test("Terraform's minimal job is accepted", async () => {
  const { status, body } = await api.send('POST', jobs, {
    dataset: 'http_requests',
    destination_conf: destination,
    enabled: false,
    filter: '',
    frequency: 'high',
    kind: '',
    logpull_options: '',
    name: '',
    max_upload_bytes: 0,
    max_upload_interval_seconds: 0,
    max_upload_records: 0,
  })
  assert.equal(status, 200)
  await api.send('DELETE', `${jobs}/${body.result.id}`)
})

test('invalid jobs are refused and nothing is stored', async t => {
  const filter = '{"where":{"key":"ClientCountry","operator":"eq","value":"x"}}'
  const rows: [name: string, body: unknown, status: number, code: number | undefined][] = [
    ['no destination', {}, 400, 1002],
    ['unknown destination', { destination_conf: 'gopher://x' }, 400, 1002],
    ['unknown key', { destination_conf: destination, colour: 1 }, 400, undefined],
    ['not an object', [], 400, 10422],
    ['bad filter', { destination_conf: destination, filter: `${filter}}` }, 400, undefined],
    ['challenge missing', { destination_conf: 's3://bucket/logs?region=eu-west-1' }, 400, 1002],
    [
      'challenge wrong',
      { destination_conf: 's3://bucket/logs?region=eu-west-1', ownership_challenge: 'a.b.c' },
      400,
      1002,
    ],
    ['directory that cannot be written', { destination_conf: blocked }, 400, 1002],
  ]
  for (const [name, body, status, code] of rows) {
    await t.test(name, async () => {
      const answer = await api.send('POST', jobs, body)
      assert.equal(answer.status, status, JSON.stringify(answer.body))
      if (code !== undefined) assert.equal(answer.body.errors[0].code, code)
    })
  }
  assert.deepEqual(await api.store.jobs.list(zone), [])
})

test('a missing challenge is named as the error', async () => {
  const { body } = await api.send('POST', jobs, { destination_conf: 's3://bucket/logs?region=eu-west-1' })
  assert.deepEqual(body.errors, [
    {
      code: 1002,
      message:
        'incorrect ownership challenge: it is missing; POST …/logpush/ownership writes a new one to the destination',
      source: { pointer: '/ownership_challenge' },
    },
  ])
})

test('a refused change leaves the job as it was', async () => {
  const { body: made } = await api.send('POST', jobs, { destination_conf: destination })
  const path = `${jobs}/${made.result.id}`
  for (const change of [
    { enabled: 'yes' },
    { dataset: 'firewall_events' },
    { kind: 'edge' },
    { filter: '{' },
    { destination_conf: blocked, enabled: true },
    { destination_conf: 's3://bucket/logs?region=eu-west-1' },
    { id: 7 },
  ]) {
    const answer = await api.send('PUT', path, change)
    assert.equal(answer.status, 400, JSON.stringify(change))
  }
  assert.deepEqual((await api.send('GET', path)).body.result, made.result)
  await api.send('DELETE', path)
})

test('a job that cannot start is not stored', async () => {
  const failing = await openTestApi({ startJob: () => Promise.reject(new Error('no spool')) })
  try {
    const path = `${failing.zonePath}/logpush/jobs`
    const job = { destination_conf: destination, enabled: true }
    assert.equal((await failing.send('POST', path, job)).status, 500)
    assert.deepEqual(await failing.store.jobs.list({ kind: 'zone', id: failing.zoneId }), [])
    const disabled = await failing.send('POST', path, { ...job, enabled: false })
    assert.equal((await failing.send('PUT', `${path}/${disabled.body.result.id}`, job)).status, 500)
    const [kept] = await failing.store.jobs.list({ kind: 'zone', id: failing.zoneId })
    assert.equal(kept?.enabled, false)
  } finally {
    await failing.close()
  }
})

test('a job starts again each time it becomes enabled', async () => {
  const started = () => api.startedJobs.length
  const before = started()
  const made = await api.send('POST', jobs, { destination_conf: destination, enabled: true })
  assert.equal(made.body.result.enabled, true, JSON.stringify(made.body.errors))
  const { id } = made.body.result
  assert.equal((await api.store.jobs.get(zone, id))?.enabled, true)
  const run = { jobId: id, replay: 0 }
  for (const [change, starts, cursors] of [
    [{ name: 'renamed' }, 1, [['edge-1', 7]]],
    [{ enabled: true }, 1, [['edge-1', 7]]],
    [{ enabled: false }, 1, []],
    [{ enabled: false, name: 'again' }, 1, []],
    [{ enabled: true }, 2, [['edge-1', 7]]],
  ] as const) {
    await api.store.delivery.start(run, new Map([['edge-1', 7]]))
    const answer = await api.send('PUT', `${jobs}/${id}`, change)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.equal(started() - before, starts, JSON.stringify(change))
    assert.deepEqual([...(await api.store.delivery.cursors(run))], cursors, JSON.stringify(change))
  }
  await api.send('DELETE', `${jobs}/${id}`)
})

test('a job may begin with records of the past', async () => {
  const start = '2026-01-02T03:04:05Z'
  const fromMs = Date.parse(start)
  const made = await api.send('POST', jobs, { destination_conf: destination, enabled: true, start })
  assert.equal(made.status, 200, JSON.stringify(made.body))
  assert.ok(!('start' in made.body.result))
  assert.equal(api.startedJobs.at(-1)?.fromMs, fromMs)
  const path = `${jobs}/${made.body.result.id}`
  const refused = await api.send('PUT', path, { start })
  assert.equal(refused.status, 400)
  assert.equal(refused.body.errors[0].source.pointer, '/start')
  await api.send('PUT', path, { enabled: false })
  assert.equal((await api.send('PUT', path, { enabled: true, start: fromMs / 1000 })).status, 200)
  assert.equal(api.startedJobs.at(-1)?.fromMs, fromMs)
  await api.send('PUT', path, { enabled: false })
  await api.send('PUT', path, { enabled: true })
  assert.equal(api.startedJobs.at(-1)?.fromMs, undefined)
  await api.send('DELETE', path)
})

test('accounts and zones have separate lists', async () => {
  const accountPath = `/accounts/${api.accountId}/logpush`
  const ofAccount = (
    await api.send('POST', `${accountPath}/jobs`, { destination_conf: destination, dataset: 'audit_logs' })
  ).body.result
  const ofZone = (await api.send('POST', jobs, { destination_conf: destination })).body.result
  const ids = async (path: string) =>
    (await api.send('GET', path)).body.result.map(({ id }: { readonly id: number }) => id)
  assert.deepEqual(await ids(`${accountPath}/jobs`), [ofAccount.id])
  assert.deepEqual(await ids(jobs), [ofZone.id])
  assert.deepEqual(await ids(`${accountPath}/datasets/audit_logs/jobs`), [ofAccount.id])
  assert.deepEqual(await ids(`${accountPath}/datasets/http_requests/jobs`), [])
  assert.equal((await api.send('GET', `${accountPath}/jobs/${ofZone.id}`)).status, 404)
  assert.equal((await api.send('GET', `${jobs}/${ofAccount.id}`)).status, 404)
  assert.equal((await api.send('DELETE', `${jobs}/${ofAccount.id}`)).status, 404)
  const path = `${accountPath}/jobs/${ofAccount.id}`
  const enabled = await api.send('PUT', path, { enabled: true })
  assert.deepEqual(enabled.body.result, { ...ofAccount, enabled: true })
  const { result: entries } = (await api.send('GET', `/accounts/${api.accountId}/audit_logs?per_page=1`)).body
  assert.deepEqual(entries[0].resource, { id: String(ofAccount.id), type: 'logpush_job' })
  assert.ok(!('zone_id' in entries[0].metadata))
  assert.deepEqual((await api.send('DELETE', path)).body.result, { id: ofAccount.id })
  await api.send('DELETE', `${jobs}/${ofZone.id}`)
})

test('a challenge of the account is invalid for its zone', async () => {
  const accountPath = `/accounts/${api.accountId}/logpush`
  await api.send('POST', `${accountPath}/ownership`, { destination_conf: destination })
  const ownership_challenge = await readFile(join(api.directory, 'logs', 'ownership-challenge.txt'), 'utf8')
  for (const [path, valid] of [
    [accountPath, true],
    [`${api.zonePath}/logpush`, false],
  ] as const) {
    const body = { destination_conf: destination, ownership_challenge }
    assert.deepEqual((await api.send('POST', `${path}/ownership/validate`, body)).body.result, { valid })
  }
})

test('an account has the same checks as a zone', async () => {
  const check = async (path: string, body: object) =>
    (await api.send('POST', `/accounts/${api.accountId}/logpush/validate/${path}`, body)).body.result
  assert.equal((await check('destination', { destination_conf: destination })).valid, true)
  assert.deepEqual(await check('destination/exists', { destination_conf: destination }), { exists: false })
  assert.equal((await check('origin', { logpull_options: '', dataset: 'audit_logs' })).valid, true)
})

test('a dataset at the wrong level is refused with its level', async () => {
  const answers = await Promise.all([
    api.send('POST', jobs, { destination_conf: destination, dataset: 'audit_logs' }),
    api.send('GET', `${api.zonePath}/logpush/datasets/audit_logs/fields`),
    api.send('GET', `${api.zonePath}/logpush/datasets/audit_logs/fields/default`),
    api.send('GET', `${api.zonePath}/logpush/datasets/audit_logs/jobs`),
  ])
  for (const { status, body } of answers) {
    assert.equal(status, 400)
    assert.equal(body.errors[0].code, 1004)
    assert.match(body.errors[0].message, /for jobs of accounts only/)
  }
  const origin = { logpull_options: '', dataset: 'audit_logs' }
  const checked = await api.send('POST', `${api.zonePath}/logpush/validate/origin`, origin)
  assert.equal(checked.body.result.valid, false)
})

test('the number of jobs of an account or zone is limited', async () => {
  const body = { destination_conf: destination, enabled: false }
  for (const [kind, id, max] of [
    ['account', api.accountId, jobLimits.jobsPerAccountMax],
    ['zone', api.zoneId, jobLimits.jobsPerZoneMax],
  ] as const) {
    const path = `/${kind}s/${id}/logpush/jobs`
    const first = (await api.send('POST', path, body)).body.result
    const stored = await api.store.jobs.get({ kind, id }, first.id)
    assert.ok(stored !== undefined)
    for (let made = 1; made < max - 1; made++) await api.store.jobs.insert(stored)
    const last = await api.send('POST', path, body)
    assert.equal(last.status, 200)
    const more = await api.send('POST', path, body)
    assert.equal(more.status, 403)
    assert.deepEqual(more.body.errors, [
      {
        code: 1004,
        message: 'creating a new job (for http_requests dataset) is not allowed: exceeded max jobs allowed',
      },
    ])
    for (const job of await api.store.jobs.list({ kind, id }))
      await api.store.jobs.delete({ kind, id }, job.id)
  }
})

test('responses have the form that clients rely on', async t => {
  const { body: made } = await api.send('POST', jobs, { destination_conf: destination })
  const path = `${jobs}/${made.result.id}`
  await t.test('refusals have a status that clients do not repeat', async () => {
    for (const body of [{}, { destination_conf: blocked }, { destination_conf: destination, kind: 'x' }]) {
      const { status } = await api.send('POST', jobs, body)
      assert.equal(status, 400)
    }
  })
  await t.test('responses are JSON with its content type', async () => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
    const answer = await api.app.inject({ method: 'GET', url: `/client/v4${path}`, headers })
    assert.match(String(answer.headers['content-type']), /^application\/json/)
  })
  await t.test('an unknown job is 404 with code 1003', async () => {
    const { status, body } = await api.send('GET', `${jobs}/999999`)
    assert.equal(status, 404)
    assert.deepEqual(body, {
      result: null,
      success: false,
      errors: [{ code: 1003, message: 'logpush job 999999 not found' }],
      messages: [],
    })
  })
  await t.test('a change of a constant member is 400', async () => {
    for (const change of [{ dataset: 'firewall_events' }, { kind: 'edge' }])
      assert.equal((await api.send('PUT', path, change)).status, 400)
    assert.equal((await api.send('PUT', path, { dataset: 'http_requests', kind: '' })).status, 200)
  })
  await t.test('there is no PATCH', async () => {
    assert.equal((await api.send('PATCH', path, {})).status, 405)
  })
  await t.test('DELETE may have a body, and answers 200 with the id', async () => {
    const answer = await api.send('DELETE', path, {}, { 'content-type': 'text/plain' })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body.result, { id: made.result.id })
  })
})

test('malformed ids are unknown jobs', async () => {
  for (const id of ['0', '-1', '1.5', '1e3', 'x', '9'.repeat(30), '12345']) {
    const { status, body } = await api.send('GET', `${jobs}/${id}`)
    assert.equal(status, 404, id)
    assert.equal(body.errors[0].code, 1003)
  }
})

test('the challenge file proves ownership of exactly its destination', async () => {
  const path = `${api.zonePath}/logpush/ownership`
  const issued = await api.send('POST', path, { destination_conf: destination })
  assert.equal(issued.body.result.valid, true, issued.body.result.message)
  assert.equal(issued.body.result.message, '')
  const challenge = await readFile(join(api.directory, 'logs', 'ownership-challenge.txt'), 'utf8')
  const validate = async (destination_conf: string, ownership_challenge: string) =>
    (await api.send('POST', `${path}/validate`, { destination_conf, ownership_challenge })).body.result
  assert.deepEqual(await validate(destination, challenge), { valid: true })
  assert.deepEqual(await validate(`${destination}2`, challenge), { valid: false })
  assert.deepEqual(await validate(destination, `${challenge}x`), { valid: false })
  assert.equal((await api.send('POST', path, { destination_conf: 'gopher://x' })).body.result.valid, false)
})

test('destinations and options are checked before a job is created', async () => {
  const { body: made } = await api.send('POST', jobs, { destination_conf: destination })
  const check = async (path: string, body: object) =>
    (await api.send('POST', `${api.zonePath}/logpush/validate/${path}`, body)).body.result
  assert.deepEqual(await check('destination', { destination_conf: destination }), {
    valid: true,
    message: '',
  })
  assert.equal((await check('destination', { destination_conf: blocked })).valid, false)
  assert.deepEqual(await check('destination/exists', { destination_conf: destination }), { exists: true })
  assert.deepEqual(await check('destination/exists', { destination_conf: `${destination}/x` }), {
    exists: false,
  })
  assert.deepEqual(await check('origin', { logpull_options: 'fields=RayID' }), { valid: true, message: '' })
  assert.deepEqual(await check('origin', { logpull_options: null }), { valid: true, message: '' })
  assert.equal((await check('origin', { logpull_options: 'fields=Colour' })).valid, false)
  assert.equal((await check('origin', { logpull_options: '', dataset: 'colours' })).valid, false)
  await api.send('DELETE', `${jobs}/${made.result.id}`)
})

test('bodies of the checks are strict', async () => {
  for (const [path, body] of [
    ['ownership', {}],
    ['ownership', { destination_conf: 7 }],
    ['ownership/validate', { destination_conf: destination }],
    ['validate/destination', { destination_conf: '' }],
    ['validate/destination', { destination_conf: 'x'.repeat(4097) }],
    ['validate/destination/exists', { destination_conf: destination, more: 1 }],
    ['validate/origin', {}],
    ['validate/origin', { logpull_options: 1 }],
  ] as const) {
    const answer = await api.send('POST', `${api.zonePath}/logpush/${path}`, body)
    assert.equal(answer.status, 400, path)
    assert.ok(answer.body.errors[0].source.pointer.startsWith('/'))
  }
})

test('a dataset shows its fields and jobs', async () => {
  const { body: made } = await api.send('POST', jobs, { destination_conf: destination })
  const path = `${api.zonePath}/logpush/datasets`
  const { body: fields } = await api.send('GET', `${path}/http_requests/fields`)
  assert.match(fields.result.ClientIP, /^string; ./)
  const { body: defaults } = await api.send('GET', `${path}/http_requests/fields/default`)
  assert.deepEqual(Object.keys(defaults.result).sort(), [
    'ClientIP',
    'ClientRequestHost',
    'ClientRequestMethod',
    'ClientRequestURI',
    'EdgeEndTimestamp',
    'EdgeResponseBytes',
    'EdgeResponseStatus',
    'EdgeStartTimestamp',
    'RayID',
  ])
  assert.equal(defaults.result.RayID, fields.result.RayID)
  const ofAccount = `/accounts/${api.accountId}/logpush/datasets`
  for (const dataset of ['http_requests', 'audit_logs'])
    assert.equal((await api.send('GET', `${ofAccount}/${dataset}/fields`)).status, 200)
  assert.deepEqual((await api.send('GET', `${path}/http_requests/jobs`)).body.result, [made.result])
  for (const what of ['fields', 'fields/default', 'jobs']) {
    const answer = await api.send('GET', `${path}/colours/${what}`)
    assert.equal(answer.status, 404)
    assert.equal(answer.body.errors[0].code, 1004)
  }
  await api.send('DELETE', `${jobs}/${made.result.id}`)
})

test('destinations never reach the log', () => {
  assert.ok(!api.logLines.join('').includes(destination))
})
