import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogpushJob } from '../model/resource.ts'
import { createJob, updateJob, validateLogpullOptions } from './job.ts'

const minimal = { destination_conf: 'file:./logs' }

function created(body: object): Omit<LogpushJob, 'id'> {
  const outcome = createJob({ ...minimal, ...body }, 'z'.repeat(32))
  assert.ok(outcome.ok, JSON.stringify(outcome))
  return outcome.value
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
})

test('what Terraform posts for a minimal resource is accepted', () => {
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

test('what was written is kept to the letter', () => {
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
  const wrong = createJob(
    { ...base, output_options: { field_names: ['EdgeStartTimestamp'] } },
    'z'.repeat(32),
  )
  assert.ok(!wrong.ok && /firewall_events has no such field/.test(wrong.problem.message))
})

test('a refused job says where and why', () => {
  const rows: [object | unknown[], string, RegExp][] = [
    [[], '', /JSON object/],
    [{ destination_conf: '' }, '/destination_conf', /required/],
    [{ surprise: 1 }, '/surprise', /unknown field "surprise"/],
    [{ name: 'two words' }, '/name', /digits/],
    [{ enabled: 'yes' }, '/enabled', /true or false/],
    [{ dataset: 'dns_logs' }, '/dataset', /one of http_requests, firewall_events/],
    [{ destination_conf: 'ftp://b' }, '/destination_conf', /'ftp:\/\/' is not known; possible are s3:\/\/, /],
    [{ destination_conf: 's3://b' }, '/destination_conf', /bucket name/],
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
    [{ max_upload_interval_seconds: 29 }, '/max_upload_interval_seconds', /30 to 300/],
    [{ max_upload_records: 999 }, '/max_upload_records', /1,000/],
  ]
  for (const [body, pointer, message] of rows) {
    const outcome = createJob(Array.isArray(body) ? body : { ...minimal, ...body }, 'z')
    assert.ok(!outcome.ok, JSON.stringify(body).slice(0, 100))
    assert.equal(outcome.problem.status, 400)
    assert.equal(outcome.problem.pointer, pointer)
    assert.match(outcome.problem.message, message)
  }
  for (const body of [
    { max_upload_bytes: 5_000_000 },
    { max_upload_interval_seconds: 30 },
    { max_upload_records: 1_000 },
  ])
    created(body)
})

test('an update keeps what it leaves out, replaces output_options whole, and cannot change the dataset', () => {
  const job: LogpushJob = {
    ...created({
      name: 'a',
      filter: '',
      output_options: { field_names: ['RayID'], timestamp_format: 'unix' },
    }),
    id: 7,
  }
  const enabled = updateJob({ enabled: true }, job)
  assert.ok(enabled.ok)
  assert.deepEqual(enabled.value, { ...job, enabled: true })
  const replaced = updateJob(
    { output_options: { field_names: ['ClientIP'] }, dataset: 'http_requests', kind: '' },
    job,
  )
  assert.ok(replaced.ok)
  assert.deepEqual(replaced.value.outputOptions, { field_names: ['ClientIP'] })
  const cleared = updateJob({ output_options: null, filter: null, name: null }, job)
  assert.ok(
    cleared.ok &&
      cleared.value.outputOptions === null &&
      cleared.value.filter === '' &&
      cleared.value.name === '',
  )
  const moved = updateJob({ dataset: 'firewall_events' }, job)
  assert.ok(!moved.ok && moved.problem.pointer === '/dataset')
})

test('logpull_options may be a whole Logpull URL', () => {
  assert.ok(
    validateLogpullOptions('http_requests', 'https://host/zones/z/logs/received?start=1&end=2&fields=RayID')
      .ok,
  )
  assert.ok(validateLogpullOptions('http_requests', null).ok)
  assert.ok(!validateLogpullOptions('nope', null).ok)
})
