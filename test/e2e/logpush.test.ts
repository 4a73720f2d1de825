import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import Cloudflare from 'cloudflare'
import { WebSocket } from 'ws'
import { type Answer, type Fronts, frontSettings, type Sent, startFronts } from '../support/fronts.ts'
import { inForce } from '../support/in-force.ts'
import { readLogFiles } from '../support/log-files.ts'
import { miniCrs } from '../support/mini-crs.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { type S3Server, s3Credentials, startS3 } from '../support/s3-server.ts'
import { discard, type Instance, startSluice } from '../support/sluice.ts'

/**
 * Cloudflare's own client does every operation on logs, against a running instance that delivers them. Requests come
 * through every front (`test/support/fronts.ts`).
 */
let sluice: Instance
let origin: Origin
let fronts: Fronts
let s3: S3Server
let client: Cloudflare
let account_id: string
/** Of shop.test. */
let zone_id: string
let s3Destination: (folder: string) => string

before(async () => {
  origin = await startOrigin()
  s3 = await startS3(['logs'])
  const aws = {
    AWS_ACCESS_KEY_ID: s3Credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
  }
  const settings = await frontSettings()
  sluice = await startSluice({
    settings: { ...settings, SLUICE_CRS: await miniCrs(), SLUICE_WORKERS: '2', ...aws },
  })
  const none = { apiEmail: null, apiKey: null, userServiceKey: null }
  client = new Cloudflare({ baseURL: sluice.apiUrl, apiToken: sluice.token, maxRetries: 0, ...none })
  account_id = (await all(client.accounts.list()))[0]!.id
  const account = { id: account_id }
  for (const name of ['blog.test', 'shop.test'])
    zone_id = (await client.zones.create({ account, name, ...{ origin: { url: origin.url } } })).id
  const endpoint = encodeURIComponent(s3.url)
  const keys = `access-key-id=${s3Credentials.accessKeyId}&secret-access-key=${s3Credentials.secretAccessKey}`
  s3Destination = folder => `s3://logs/${folder}?region=us-east-1&endpoint=${endpoint}&${keys}`
  fronts = await startFronts(sluice, settings, { host: 'shop.test', origin: origin.url })
  await inForce(sluice)
})

after(async () => {
  await fronts.close()
  await discard(sluice)
  await s3.close()
  await origin.close()
})

const folder = (name: string) => join(sluice.data, 'delivered', name)

/** Through every front. */
function visit(path: string, sent?: Sent): Promise<Answer[]> {
  return Promise.all(fronts.all.map(({ send }) => send(path, sent)))
}

/** Each item as often as there are fronts. */
function ofEach<T>(items: readonly T[]): T[] {
  return items.flatMap(item => fronts.all.map(() => item))
}

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of pages) items.push(item)
  return items
}

/** The client's types lack `start`, for jobs that begin in the past. */
async function newJob(
  wanted: Omit<Cloudflare.Logpush.JobCreateParams, 'enabled'> & { readonly start?: string },
): Promise<Cloudflare.Logpush.LogpushJob & { id: number }> {
  const made = await client.logpush.jobs.create({
    ...wanted,
    enabled: true,
  } as Cloudflare.Logpush.JobCreateParams)
  assert.ok(typeof made?.id === 'number')
  return made as Cloudflare.Logpush.LogpushJob & { id: number }
}

async function eventually<T>(read: () => Promise<T>, done: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 45_000
  for (;;) {
    const value = await read()
    if (done(value)) return value
    assert.ok(Date.now() < deadline, `in vain: ${JSON.stringify(value)}`)
    await sleep(150)
  }
}

const lines = (name: string, count: number) =>
  eventually(
    () => readLogFiles(folder(name)),
    found => found.length >= count,
  )

const pathIs = (path: string) =>
  JSON.stringify({ where: { key: 'ClientRequestPath', operator: 'startsWith', value: path } })

interface Health {
  readonly state: string
  readonly lag_seconds: number
  readonly error_message: string | null
  readonly totals: Readonly<Record<string, { readonly uploads: number; readonly lines: number }>>
}

/** Sluice's own operations, through the client's methods for other paths. */
async function own<T>(method: 'get' | 'post' | 'put', path: string, body?: object): Promise<T> {
  const answer = (await client[method](path, body === undefined ? {} : { body })) as { readonly result: T }
  return answer.result
}

for (const level of ['account', 'zone'] as const) {
  const scope = () => (level === 'account' ? { account_id } : { zone_id })

  test(`every operation at the ${level}`, async () => {
    const at = scope()
    const { jobs, ownership, validate, datasets } = client.logpush
    const challenged = `s3://logs/${level}?region=us-east-1&endpoint=${encodeURIComponent(s3.url)}`
    const target = { ...at, destination_conf: challenged }
    assert.deepEqual(await validate.destination(target), { valid: true, message: '' })
    assert.deepEqual(await validate.destinationExists(target), { exists: false })
    await assert.rejects(jobs.create(target), /incorrect ownership challenge/)
    const issued = await ownership.create(target)
    assert.deepEqual([issued?.valid, issued?.message], [true, ''])
    const ownership_challenge = String(await s3.read('logs', issued!.filename!))
    assert.deepEqual(await ownership.validate({ ...target, ownership_challenge }), { valid: true })
    assert.deepEqual(await ownership.validate({ ...target, ownership_challenge: 'a.b.c' }), { valid: false })
    const options = { ...at, logpull_options: 'fields=RayID&timestamps=rfc3339' }
    assert.deepEqual(await validate.origin(options), { valid: true, message: '' })
    const fields = (await datasets.fields.get('http_requests', at)) as Record<string, string>
    assert.match(fields['ClientRequestURI']!, /^string; /)

    const made = await jobs.create({
      ...target,
      ownership_challenge,
      name: 'first',
      dataset: 'http_requests',
    })
    assert.ok(made?.id)
    assert.deepEqual(await validate.destinationExists(target), { exists: true })
    assert.deepEqual(await jobs.get(made.id, at), made)
    assert.deepEqual(await all(jobs.list(at)), [made])
    assert.deepEqual(await all(datasets.jobs.get('http_requests', at)), [made])
    assert.deepEqual(await all(datasets.jobs.get('firewall_events', at)), [])
    const changed = await jobs.update(made.id, { ...at, name: 'second', max_upload_records: 1_000 })
    assert.deepEqual(changed, { ...made, name: 'second', max_upload_records: 1_000 })
    assert.deepEqual(await jobs.delete(made.id, at), { id: made.id })
    await assert.rejects(jobs.get(made.id, at), Cloudflare.NotFoundError)
    assert.deepEqual(await all(jobs.list(at)), [])
  })
}

test('a filtered job in CSV to S3, jobs of the account over its zones, and its audit trail', async () => {
  const csv = await newJob({
    zone_id,
    dataset: 'http_requests',
    // This test does not wait for the manifest of the hour, which is beside the objects.
    destination_conf: `${s3Destination('csv/{DATE}')}&manifest=hourly`,
    filter: pathIs('/keep'),
    output_options: {
      output_type: 'csv',
      field_names: ['ClientRequestPath', 'EdgeResponseStatus', 'ClientRequestMethod'],
      batch_prefix: 'path,status,method\n',
    },
  })
  const ofAccount = await newJob({
    account_id,
    dataset: 'http_requests',
    destination_conf: `file://${folder('account')}`,
    filter: pathIs('/keep'),
    output_options: { field_names: ['ZoneName', 'ClientRequestPath'] },
  })
  await inForce(sluice)
  await Promise.all([
    visit('/keep/"1"'),
    visit('/drop'),
    visit('/keep/missing'),
    visit('/keep/3', { host: 'blog.test' }),
  ])
  const start = new Date().toISOString()
  await client.logs.control.retention.create({ zone_id, flag: true })
  const trail = await newJob({
    account_id,
    start,
    dataset: 'audit_logs',
    destination_conf: `file://${folder('trail')}`,
    output_options: { field_names: ['ActionType', 'ResourceType', 'ResourceID'] },
  })

  const kept = ofEach(['"/keep/""1""",200,"GET"', '"/keep/missing",404,"GET"'])
  const rows = await eventually(csvRows, found => found.length >= kept.length)
  assert.deepEqual(rows.sort(), kept)
  const named = ofEach(['blog.test/keep/3', 'shop.test/keep/"1"', 'shop.test/keep/missing'])
  assert.deepEqual(
    (await lines('account', named.length))
      .map(line => `${line['ZoneName']}${line['ClientRequestPath']}`)
      .sort(),
    named,
  )
  const changes = await lines('trail', 1)
  assert.deepEqual(
    changes.filter(line => line['ResourceType'] === 'logpull_retention'),
    [{ ActionType: 'update', ResourceType: 'logpull_retention', ResourceID: zone_id }],
  )
  await client.logpush.jobs.delete(csv.id, { zone_id })
  for (const { id } of [ofAccount, trail]) await client.logpush.jobs.delete(id, { account_id })
})

/** Of all objects: a late request is in a separate one. */
async function csvRows(): Promise<string[]> {
  const all: string[] = []
  for (const key of (await s3.keys('logs', 'csv/')).filter(name => name.endsWith('.log.gz'))) {
    assert.match(key, /^csv\/\d{8}\/\d{8}T\d{6}Z_\d{8}T\d{6}Z_[0-9a-f]{32}\.log\.gz$/)
    const text = gunzipSync(await s3.read('logs', key)).toString('utf8')
    const [header, ...rows] = text.trimEnd().split('\n')
    assert.equal(header, 'path,status,method')
    all.push(...rows)
  }
  return all
}

test('a job goes back in time, delivers a range again, and tells how it is doing', async () => {
  const start = new Date().toISOString()
  const paths = ['/past/0', '/past/1']
  for (const path of paths) await visit(path)
  await sleep(200)
  const job = await newJob({
    zone_id,
    start,
    dataset: 'http_requests',
    destination_conf: `file://${folder('past')}`,
    filter: pathIs('/past'),
    output_options: { field_names: ['RayID', 'ClientRequestPath'] },
  })
  const sent = ofEach(paths)
  const first = await lines('past', sent.length)
  assert.deepEqual(first.map(line => line['ClientRequestPath']).sort(), sent)

  const path = `/zones/${zone_id}/logpush/jobs/${job.id}`
  const replay = await own<{ id: number; status: string }>('post', `${path}/replay`, {
    start,
    end: new Date().toISOString(),
  })
  const done = await eventually(
    () => own<{ status: string; lines: number; objects: number }>('get', `${path}/replays/${replay.id}`),
    ({ status }) => status !== 'running',
  )
  assert.deepEqual([done.status, done.lines], ['completed', sent.length], JSON.stringify(done))
  const again = await readLogFiles(folder('past'))
  const key = (line: Record<string, unknown>) => line['RayID']
  assert.deepEqual(again.map(key).sort(), [...first, ...first].map(key).sort(), 'each line once more')

  const health = await eventually(
    () => own<Health>('get', `${path}/health`),
    ({ totals }) => (totals['successful']?.lines ?? 0) >= 2 * sent.length,
  )
  assert.deepEqual(
    [health.state, health.error_message, health.totals['successful']?.lines],
    ['running', null, 2 * sent.length],
  )
  const read = await client.logpush.jobs.get(job.id, { zone_id })
  assert.ok(Date.parse(String(read?.last_complete)) >= Date.parse(start))
  await client.logpush.jobs.delete(job.id, { zone_id })
})

test('redaction is a setting, and applies before a record is written', async () => {
  await client.rulesets.phases.update('http_log_custom_fields', {
    zone_id,
    rules: [
      {
        action: 'log_custom_field',
        expression: 'true',
        action_parameters: { request_fields: [{ name: 'authorization' }, { name: 'cookie' }] },
      },
    ],
  })
  await inForce(sluice)
  const seen = async (name: string): Promise<readonly string[]> => {
    const start = new Date().toISOString()
    const headers = { authorization: 'Bearer s3cret-bearer', cookie: 'Session=s3cret-cookie' }
    await visit(`/${name}?token=s3cret-token&card=4111111111111111&page=2`, { headers })
    await sleep(200)
    const { id } = await newJob({
      zone_id,
      start,
      dataset: 'http_requests',
      destination_conf: `file://${folder(name)}`,
      filter: pathIs(`/${name}`),
      output_options: { field_names: ['ClientRequestURI', 'RequestHeaders'] },
    })
    const found = await lines(name, fronts.all.length)
    await client.logpush.jobs.delete(id, { zone_id })
    assert.equal(found.length, fronts.all.length)
    return found.map(line => JSON.stringify(line))
  }
  for (const hidden of await seen('hidden')) {
    assert.doesNotMatch(hidden, /s3cret|4111111111111111/)
    assert.match(hidden, /\/hidden\?token=\[redacted\]&card=[^"]*1111&page=2/)
    assert.match(hidden, /"authorization":"Bearer \[redacted\]","cookie":"Session=\[redacted\]"/)
  }

  const path = `/zones/${zone_id}/logs/control/redaction`
  await own('put', path, {
    authorization: false,
    cookies: false,
    query_credentials: false,
    card_numbers: false,
  })
  await inForce(sluice)
  const texts = ['token=s3cret-token&card=4111111111111111', 'Bearer s3cret-bearer', 'Session=s3cret-cookie']
  for (const shown of await seen('shown'))
    for (const text of texts) assert.ok(shown.includes(text), `${text}: ${shown}`)
  await own('put', path, { authorization: true, cookies: true, query_credentials: true, card_numbers: true })
})

test('Instant Logs, through a WebSocket', async () => {
  const made = await client.logpush.edge.create({
    zone_id,
    fields: 'ClientRequestPath,EdgeResponseStatus',
    filter: pathIs('/instant'),
    sample: 1,
  })
  assert.deepEqual(await all(client.logpush.edge.get({ zone_id })), [made])
  const socket = new WebSocket(made!.destination_conf!)
  const got: unknown[] = []
  socket.on('message', data => {
    for (const line of String(data).trimEnd().split('\n')) got.push(JSON.parse(line))
  })
  await once(socket, 'open')
  await visit('/elsewhere')
  await visit('/instant')
  await visit('/instant/missing')
  await eventually(
    async () => got,
    found => found.length >= 2 * fronts.all.length,
  )
  const expected = [
    { ClientRequestPath: '/instant', EdgeResponseStatus: 200, sampleInterval: 1 },
    { ClientRequestPath: '/instant/missing', EdgeResponseStatus: 404, sampleInterval: 1 },
  ]
  // Workers promise no order among each other.
  const texts = (lines: readonly unknown[]) => lines.map(line => JSON.stringify(line)).sort()
  assert.deepEqual(texts(got), texts(ofEach(expected)))
  const closed = once(socket, 'close')
  socket.close()
  await closed
})

test('a destination that forbids pauses the job, which goes on when it is written again', async () => {
  const destination_conf = s3Destination('paused')
  const job = await newJob({
    zone_id,
    dataset: 'http_requests',
    destination_conf,
    filter: pathIs('/paused'),
    output_options: { field_names: ['ClientRequestPath'] },
  })
  await inForce(sluice)
  s3.refuses = ({ line }) =>
    line.includes('/logs/paused') ? { status: 403, code: 'AccessDenied' } : undefined
  const path = `/zones/${zone_id}/logpush/jobs/${job.id}/health`
  try {
    await visit('/paused/1')
    const health = await eventually(
      () => own<Health>('get', path),
      ({ state }) => state === 'paused',
    )
    assert.match(health.error_message ?? '', /403/)
    const read = await client.logpush.jobs.get(job.id, { zone_id })
    assert.equal(read?.enabled, true)
    assert.ok(read.error_message && read.last_error)
    await visit('/paused/2')
  } finally {
    s3.refuses = () => undefined
  }
  await client.logpush.jobs.update(job.id, { zone_id, destination_conf })
  // The first is the refused batch; later records wait for the next one.
  const found = await eventually(
    () => s3.lines('logs', 'paused'),
    lines => lines.length >= 1,
  )
  assert.ok(found.some(line => line['ClientRequestPath'] === '/paused/1'))
  await eventually(
    () => own<Health>('get', path),
    ({ state }) => state === 'running',
  )
  const read = await client.logpush.jobs.get(job.id, { zone_id })
  assert.deepEqual([read?.error_message, read?.last_error], [null, null])
  await client.logpush.jobs.delete(job.id, { zone_id })
})

test('Logpull: fields, one ray id, a range, and the flag that it needs', async () => {
  const { logs } = client
  assert.deepEqual(await logs.control.retention.create({ zone_id, flag: true }), { flag: true })
  assert.deepEqual(await logs.control.retention.get({ zone_id }), { flag: true })
  const rayIds = (await visit('/pulled')).map(({ headers }) => String(headers['ray-id']).split('-')[0]!)
  for (const RayID of rayIds) {
    const text = await eventually(
      async () => String(await logs.RayID.get(RayID, { zone_id, fields: 'RayID,ClientRequestPath' })),
      found => found !== '',
    )
    assert.deepEqual(JSON.parse(text), { RayID, ClientRequestPath: '/pulled' })
  }
  const fields = (await logs.received.fields.get({ zone_id })) as unknown as Record<string, string>
  assert.match(fields['RayID']!, /^string; /)
  // Before anything was received.
  const end = Math.floor(Date.now() / 1000) - 600
  assert.equal(await logs.received.get({ zone_id, start: String(end - 60), end: String(end) }), '')
  assert.deepEqual(await logs.control.retention.create({ zone_id, flag: false }), { flag: false })
  await assert.rejects(logs.RayID.get(rayIds[0]!, { zone_id }), Cloudflare.PermissionDeniedError)
})

test('secrets of destinations are not written to the disk as they are', async () => {
  const job = await client.logpush.jobs.create({ zone_id, destination_conf: s3Destination('secret') })
  const database = await readFile(join(sluice.data, 'sluice.db'))
  const log = await readFile(join(sluice.data, 'sluice.db-wal')).catch(() => Buffer.alloc(0))
  for (const bytes of [database, log]) assert.equal(bytes.indexOf(s3Credentials.secretAccessKey), -1)
  assert.ok(!sluice.output().includes(s3Credentials.secretAccessKey))
  await client.logpush.jobs.delete(job!.id!, { zone_id })
})
