import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Checked } from '../../model/problem.ts'
import type { LogpushJob, Scope } from '../../model/resource.ts'
import { createJob, formatOf, updateJob, validateLogpullOptions, type WantedJob } from './job.ts'

const minimal = { destination_conf: 'file:./logs' }
const zone: Scope = { kind: 'zone', id: 'f'.repeat(32) }
const account: Scope = { kind: 'account', id: 'a'.repeat(32) }
const nowMs = Date.UTC(2026, 7, 12, 22)

function create(body: unknown, scope: Scope = zone): Checked<WantedJob<Omit<LogpushJob, 'id'>>> {
  return createJob(body, scope, nowMs)
}

function created(body: object, scope: Scope = zone): Omit<LogpushJob, 'id'> {
  const outcome = create({ ...minimal, ...body }, scope)
  assert.ok(outcome.ok, JSON.stringify(outcome))
  return outcome.value.job
}

function updated(body: object, job: LogpushJob): LogpushJob {
  const outcome = updateJob(body, job, nowMs)
  assert.ok(outcome.ok, JSON.stringify(outcome))
  return outcome.value.job
}

test('a minimal job has the defaults that Terraform and the SDK expect', () => {
  const job = created({})
  assert.equal(job.enabled, false)
  assert.equal(job.dataset, 'http_requests')
  assert.equal(job.frequency, 'high')
  assert.equal(job.kind, '')
  assert.equal(job.filter, '')
  assert.equal(job.outputOptions, null)
  assert.equal(job.lastComplete, null)
  assert.equal(job.paused, false)
  assert.equal(job.revision, 1)
  assert.deepEqual(job.scope, zone)
  assert.ok(!('filterAttackTraffic' in job))
})

test('Terraform’s body for a minimal resource is accepted', () => {
  created({
    dataset: 'http_requests',
    enabled: false,
    filter: '',
    frequency: 'high',
    kind: '',
    logpull_options: '',
    name: '',
    max_upload_bytes: 0,
    max_upload_records: 0,
    max_upload_interval_seconds: 0,
    output_options: null,
    ownership_challenge: 'a.b-c_d/e+f',
  })
})

test('written settings are stored verbatim', () => {
  const destination =
    's3://bucket/logs/{DATE}?region=eu-west-1&access-key-id=K&secret-access-key=a%2Fb&endpoint=s3.test'
  const filter = '{ "where": {"key":"ClientIP","operator":"eq","value":"1.2.3.4"} }'
  const job = created({
    destination_conf: destination,
    filter,
    logpull_options: 'timestamps=rfc3339&fields=RayID',
  })
  assert.equal(job.destinationConf, destination)
  assert.equal(job.filter, filter)
  assert.equal(job.logpullOptions, 'timestamps=rfc3339&fields=RayID')
})

test('a job of another dataset has its fields', () => {
  const base = { ...minimal, dataset: 'firewall_events' }
  const filter = '{"where":{"key":"ClientIP","operator":"eq","value":"192.0.2.1"}}'
  const options = { field_names: ['Action', 'Metadata', 'Datetime'] }
  assert.equal(created({ ...base, filter, output_options: options }).dataset, 'firewall_events')
  const wrong = create({ ...base, output_options: { field_names: ['EdgeStartTimestamp'] } })
  assert.ok(!wrong.ok && /firewall_events has no such field/.test(wrong.problem.message))
})

test('a refusal names the member and the reason', () => {
  const rows: [object | unknown[], string, RegExp][] = [
    [[], '', /JSON object/],
    [{ destination_conf: '' }, '/destination_conf', /required/],
    [{ surprise: 1 }, '/surprise', /unknown field "surprise"/],
    [{ 'a/b~c': 1 }, '/a~1b~0c', /unknown field "a\/b~c"/],
    [{ name: 'two words' }, '/name', /digits/],
    [{ name: 'x'.repeat(513) }, '/name', /512/],
    [{ enabled: 'yes' }, '/enabled', /true or false/],
    [{ enabled: null }, '/enabled', /true or false/],
    [{ destination_conf: null }, '/destination_conf', /4096/],
    [{ dataset: 'Http_Requests' }, '/dataset', /because it must be one of http_requests/],
    [{ frequency: 'HIGH' }, '/frequency', /high or low/],
    [{ kind: 'instant-logs' }, '/kind', /empty or edge/],
    [{ kind: 'Edge' }, '/kind', /empty or edge/],
    [{ kind: 'edge', dataset: 'firewall_events' }, '/kind', /http_requests only/],
    [{ filter_attack_traffic: 'yes' }, '/filter_attack_traffic', /true or false/],
    [{ ownership_challenge: 'x'.repeat(4097) }, '/ownership_challenge', /4096/],
    [{ start: true }, '/start', /a time/],
    [{ enabled: true, start: 'yesterday' }, '/start', /RFC 3339/],
    [{ enabled: true, start: 1.5 }, '/start', /RFC 3339/],
    [{ enabled: true, start: -1 }, '/start', /RFC 3339/],
    [{ enabled: true, start: nowMs / 1000 + 1 }, '/start', /in the future/],
    [{ enabled: false, start: '2026-08-12T21:00:00Z' }, '/start', /does not become enabled/],
    [{ start: '2026-08-12T21:00:00Z' }, '/start', /does not become enabled/],
    [
      { destination_conf: 'https://logs.test/in', output_options: { output_type: 'parquet' } },
      '/output_options/output_type',
      /that store objects: s3, r2, gs, azure and file/,
    ],
    [{ dataset: 'dns_logs' }, '/dataset', /one of http_requests, firewall_events, audit_logs/],
    [{ destination_conf: 'ftp://b' }, '/destination_conf', /'ftp:\/\/' is not known; possible are s3:\/\/, /],
    [{ destination_conf: 's3://b' }, '/destination_conf', /its bucket must have 3 to 63/],
    [{ destination_conf: 's3://bucket/x' }, '/destination_conf', /region=/],
    [{ destination_conf: 's3://bucket?region=us-east-1&acl=x' }, '/destination_conf', /no parameter "acl"/],
    [
      { destination_conf: 's3://bucket?region=us-east-1&access-key-id=x' },
      '/destination_conf',
      /go together/,
    ],
    [{ destination_conf: 's3://bucket?region=us-east-1&endpoint=h/path' }, '/destination_conf', /endpoint/],
    [{ destination_conf: 'file:relative' }, '/destination_conf', /file:\/\/\//],
    [{ destination_conf: `file:./${'x'.repeat(4096)}` }, '/destination_conf', /4096/],
    [{ logpull_options: 'fields=RayID,RayId2' }, '/logpull_options', /no such field; did you mean RayID/],
    [{ logpull_options: 'timestamps=iso' }, '/logpull_options', /unixnano, unix, rfc3339/],
    [{ logpull_options: 'colour=red' }, '/logpull_options', /unknown option "colour"/],
    [{ logpull_options: 'CVE-2021-44228=maybe' }, '/logpull_options', /true or false/],
    [{ output_options: { field_names: ['Nope'] } }, '/output_options/field_names/0', /no such field/],
    [{ output_options: { batch_prefx: '[' } }, '/output_options/batch_prefx', /did you mean batch_prefix/],
    [{ filter: 'x' }, '/filter', /not JSON/],
    [{ filter: { where: {} } }, '/filter', /text that holds JSON/],
    [
      { filter: '{"where":{"and":[{"key":"ClientIP","operator":"gt","value":"1"}]}}' },
      '/filter',
      /\/where\/and\/0\/operator/,
    ],
    [{ frequency: 'often' }, '/frequency', /high or low/],
    [{ max_upload_bytes: 4_999_999 }, '/max_upload_bytes', /5,000,000/],
    [{ max_upload_bytes: 1_000_000_001 }, '/max_upload_bytes', /1,000,000,000/],
    [{ max_upload_bytes: 5_000_000.5 }, '/max_upload_bytes', /5,000,000/],
    [{ max_upload_bytes: '5000000' }, '/max_upload_bytes', /5,000,000/],
    [{ max_upload_interval_seconds: 29 }, '/max_upload_interval_seconds', /30 to 300/],
    [{ max_upload_interval_seconds: 301 }, '/max_upload_interval_seconds', /30 to 300/],
    [{ max_upload_records: 999 }, '/max_upload_records', /1,000/],
    [{ max_upload_records: 1_000_001 }, '/max_upload_records', /1,000,000/],
    [{ logpull_options: 'x'.repeat(4097) }, '/logpull_options', /4096/],
  ]
  for (const [body, pointer, message] of rows) {
    const outcome = create(Array.isArray(body) ? body : { ...minimal, ...body })
    assert.ok(!outcome.ok, JSON.stringify(body).slice(0, 100))
    assert.equal(outcome.problem.status, 400)
    assert.equal(outcome.problem.pointer, pointer)
    assert.match(outcome.problem.message, message)
  }
  for (const body of [
    { max_upload_bytes: 5_000_000 },
    { max_upload_bytes: 1_000_000_000 },
    { max_upload_interval_seconds: 30 },
    { max_upload_interval_seconds: 300 },
    { max_upload_records: 1_000 },
    { max_upload_records: 1_000_000 },
    { name: 'x'.repeat(512) },
    { name: 'a_b-c.d' },
    { destination_conf: `file:./${'x'.repeat(4089)}` },
    { frequency: 'low' },
    { kind: 'edge' },
  ])
    created(body)
})

test('a refusal does not repeat possible credentials', () => {
  for (const body of [
    { destination_conf: `s3://b?secret-access-key=hunter2&${'x'.repeat(4096)}` },
    { destination_conf: ['s3://b?secret-access-key=hunter2'] },
    { ...minimal, ownership_challenge: ['hunter2'] },
    { ...minimal, destination_conf: 's3://bucket/x?secret-access-key=hunter2' },
    { ...minimal, destination_conf: 'gopher://user:hunter2@host/' },
  ]) {
    const outcome = create(body)
    assert.ok(!outcome.ok)
    assert.doesNotMatch(outcome.problem.message, /hunter2/)
  }
})

const stored: LogpushJob = {
  ...created({ name: 'a', filter: '', output_options: { field_names: ['RayID'], timestamp_format: 'unix' } }),
  id: 7,
  revision: 3,
  lastComplete: '2026-08-12T20:00:00.000000Z',
  lastError: '2026-08-12T21:00:00.000000Z',
  errorMessage: 'away',
  paused: true,
}

test('an update keeps absent members, health and revision included', () => {
  assert.deepEqual(updated({}, stored), stored)
  assert.deepEqual(updated({ enabled: true }, stored), { ...stored, enabled: true })
  assert.deepEqual(updated({ name: 'b', ownership_challenge: 'a.b.c' }, stored), { ...stored, name: 'b' })
})

test('an update replaces output_options whole', () => {
  const options = { field_names: ['ClientIP'] }
  assert.deepEqual(updated({ output_options: options }, stored).outputOptions, options)
})

test('null clears optional members', () => {
  const filled = updated(
    {
      filter: '{"where":{"key":"ClientIP","operator":"eq","value":"192.0.2.1"}}',
      logpull_options: 'fields=RayID',
      frequency: 'low',
      filter_attack_traffic: true,
      max_upload_bytes: 5_000_000,
      max_upload_interval_seconds: 30,
      max_upload_records: 1_000,
    },
    stored,
  )
  const cleared = updated(
    {
      name: null,
      filter: null,
      logpull_options: null,
      output_options: null,
      frequency: null,
      filter_attack_traffic: null,
      max_upload_bytes: null,
      max_upload_interval_seconds: null,
      max_upload_records: null,
      dataset: null,
      kind: null,
      ownership_challenge: null,
      start: null,
    },
    filled,
  )
  assert.deepEqual(cleared, { ...stored, name: '', outputOptions: null })
  assert.ok(!('filterAttackTraffic' in cleared))
})

test('dataset and kind cannot change, and may be repeated', () => {
  const edge: LogpushJob = { ...stored, kind: 'edge' }
  for (const [body, job, pointer] of [
    [{ dataset: 'firewall_events' }, stored, '/dataset'],
    [{ kind: 'edge' }, stored, '/kind'],
    [{ kind: '' }, edge, '/kind'],
  ] as const) {
    const outcome = updateJob(body, job, nowMs)
    assert.ok(!outcome.ok)
    assert.equal(outcome.problem.status, 400)
    assert.equal(outcome.problem.pointer, pointer)
  }
  assert.deepEqual(updated({ dataset: 'http_requests', kind: '' }, stored), stored)
  assert.deepEqual(updated({ dataset: 'http_requests', kind: 'edge' }, edge), edge)
})

test('a dataset is for jobs of its scopes', () => {
  assert.deepEqual(created({}, account).scope, account)
  assert.equal(created({ dataset: 'firewall_events' }, account).dataset, 'firewall_events')
  assert.equal(created({ dataset: 'audit_logs' }, account).dataset, 'audit_logs')
  const elsewhere = create({ ...minimal, dataset: 'audit_logs' }, zone)
  assert.ok(!elsewhere.ok)
  assert.deepEqual(elsewhere.problem, {
    status: 400,
    code: 1004,
    message: 'the dataset audit_logs is for jobs of accounts only: use /accounts/…',
    pointer: '/dataset',
  })
})

test('filter_attack_traffic stays absent, or as written, where the dataset has it', () => {
  for (const value of [true, false])
    for (const dataset of ['http_requests', 'firewall_events'])
      assert.equal(created({ dataset, filter_attack_traffic: value }).filterAttackTraffic, value)
  assert.ok(!('filterAttackTraffic' in created({ filter_attack_traffic: null })))
  const wrong = create({ ...minimal, dataset: 'audit_logs', filter_attack_traffic: true }, account)
  assert.ok(!wrong.ok && wrong.problem.pointer === '/filter_attack_traffic')
})

test('Terraform reads back its own settings', () => {
  const template = 'x{{.RayID}}{{.NoSuchField}}'
  for (const [name, body, want] of [
    ['1: never null', {}, { frequency: 'high', kind: '', enabled: false, dataset: 'http_requests' }],
    ['2: zeros', { max_upload_bytes: 0, logpull_options: '' }, { maxUploadBytes: 0, logpullOptions: '' }],
    ['3: options never said', {}, { outputOptions: null }],
    [
      '3: only what was sent',
      { output_options: { field_names: null, batch_prefix: '' } },
      { outputOptions: { field_names: null, batch_prefix: '' } },
    ],
    ['3: an empty object', { output_options: {} }, { outputOptions: {} }],
    ['4: no options from the others', { logpull_options: 'fields=RayID' }, { outputOptions: null }],
    ['4: nor the other way', { output_options: { field_names: ['RayID'] } }, { logpullOptions: null }],
    [
      '5: escapes and numbers',
      { output_options: { record_delimiter: '\t\n', sample_rate: 0.01 } },
      { outputOptions: { record_delimiter: '\t\n', sample_rate: 0.01 } },
    ],
    ['6: a filter taken away', { filter: '' }, { filter: '' }],
    [
      '7: a template with fields that are not there, and both kinds of options',
      { logpull_options: 'fields=RayID', output_options: { record_template: template, field_names: [] } },
      { logpullOptions: 'fields=RayID', outputOptions: { record_template: template, field_names: [] } },
    ],
    [
      '8: parameters of the receiver',
      { destination_conf: 'https://host?updated=true' },
      { destinationConf: 'https://host?updated=true' },
    ],
    [
      'the flag of Terraform',
      { output_options: { 'CVE-2021-44228': false } },
      { outputOptions: { 'CVE-2021-44228': false } },
    ],
  ] as const) {
    const job = created(body)
    for (const [field, value] of Object.entries(want))
      assert.deepEqual(job[field as keyof typeof job], value, `${name}: ${field}`)
  }
})

test('output_options take precedence over logpull_options', () => {
  const job = created({ logpull_options: 'fields=ClientIP', output_options: { field_names: ['RayID'] } })
  const format = formatOf(job)
  assert.ok(format.ok)
  assert.deepEqual(
    format.value.fields.map(field => field.name),
    ['RayID'],
  )
})

test('a job that becomes enabled may begin in the past', () => {
  const wantMs = nowMs - 3_600_000
  for (const [start, want] of [
    ['2026-08-12T21:00:00Z', wantMs],
    ['2026-08-12T23:00:00+02:00', wantMs],
    ['2026-08-12T20:59:59.9999Z', wantMs],
    [wantMs / 1000, wantMs],
    [String(wantMs / 1000), wantMs],
    [`${wantMs}000000`, wantMs],
    [wantMs * 1e6, wantMs],
    [nowMs / 1000, nowMs],
    [null, undefined],
  ] as const) {
    const made = create({ ...minimal, enabled: true, start })
    assert.ok(made.ok, JSON.stringify(made))
    assert.equal(made.value.startMs, want)
    const enabled = updateJob({ enabled: true, start }, stored, nowMs)
    assert.ok(enabled.ok, JSON.stringify(enabled))
    assert.equal(enabled.value.startMs, want)
  }
  assert.ok(!('start' in created({ enabled: true, start: 0 })))
  const running: LogpushJob = { ...stored, enabled: true }
  for (const [body, job, reason] of [
    [{ start: 0 }, stored, /does not become enabled/],
    [{ start: 0 }, running, /does not become enabled/],
    [{ start: 0, enabled: true }, running, /does not become enabled/],
    [{ start: '2026-08-12T22:00:01Z', enabled: true }, stored, /in the future/],
  ] as const) {
    const outcome = updateJob(body, job, nowMs)
    assert.ok(!outcome.ok)
    assert.equal(outcome.problem.pointer, '/start')
    assert.match(outcome.problem.message, reason)
  }
})

test('logpull_options may be a whole Logpull URL', () => {
  assert.ok(
    validateLogpullOptions(
      'http_requests',
      'https://host/zones/z/logs/received?start=1&end=2&fields=RayID',
      'zone',
    ).ok,
  )
  assert.ok(validateLogpullOptions('http_requests', null, 'zone').ok)
  assert.ok(validateLogpullOptions('audit_logs', null, 'account').ok)
  assert.ok(!validateLogpullOptions('audit_logs', null, 'zone').ok)
  assert.ok(!validateLogpullOptions('nope', null, 'zone').ok)
})
