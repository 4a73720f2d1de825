import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Fronts, frontSettings, startFronts } from '../support/fronts.ts'
import { inForce } from '../support/in-force.ts'
import { readLogFiles } from '../support/log-files.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { api, discard, type Instance, startSluice, testCrs } from '../support/sluice.ts'

/** The records of requests with every outcome, under concurrent load, through every front (`test/support/fronts.ts`). */
const skip = existsSync(testCrs) ? false : 'needs an OWASP CRS release, and none was found'
const owasp = '4814384a9e5d4991b9815dcfc25d2f1f'

let sluice: Instance
let origin: Origin
let fronts: Fronts
let zone: string

before(async () => {
  if (skip) return
  // Long enough for who goes away meanwhile.
  origin = await startOrigin(path => (path.includes('/aborted') ? sleep(150) : Promise.resolve()))
  const settings = await frontSettings()
  sluice = await startSluice({ settings: { ...settings, SLUICE_CRS: testCrs, SLUICE_WORKERS: '2' } })
  fronts = await startFronts(sluice, settings, { host: 'load.test', origin: origin.url })
  const account = (await api(sluice, 'GET', '/accounts')).result[0].id
  const made = await api(sluice, 'POST', '/zones', {
    name: 'load.test',
    account: { id: account },
    origin: { url: origin.url },
  })
  assert.equal(made.status, 200, JSON.stringify(made.errors))
  zone = made.result.id
  const starts = (kind: string) => `starts_with(http.request.uri.path, "/${kind}/")`
  const rules = {
    http_request_firewall_custom: [
      { action: 'block', expression: starts('custom') },
      { action: 'managed_challenge', expression: starts('challenged') },
    ],
    http_ratelimit: [
      {
        action: 'block',
        expression: starts('limited'),
        ratelimit: {
          characteristics: ['cf.colo.id', 'ip.src'],
          period: 60,
          requests_per_period: 5,
          mitigation_timeout: 60,
        },
      },
    ],
    http_request_firewall_managed: [
      { action: 'execute', expression: 'true', action_parameters: { id: owasp } },
    ],
  }
  for (const [phase, list] of Object.entries(rules)) {
    const answer = await api(sluice, 'PUT', `/zones/${zone}/rulesets/phases/${phase}/entrypoint`, {
      rules: list,
    })
    assert.equal(answer.status, 200, JSON.stringify(answer.errors))
  }
  await inForce(sluice)
})

after(async () => {
  if (skip) return
  await fronts.close()
  await discard(sluice)
  await origin.close()
})

const attack = encodeURIComponent(
  "1' UNION SELECT password FROM users WHERE '1'='1' -- <script>alert(1)</script>",
)
const kinds = ['allowed', 'custom', 'owasp', 'challenged', 'limited', 'aborted', 'head', 'missing'] as const
type Kind = (typeof kinds)[number]

interface Sent {
  readonly kind: Kind
  readonly path: string
  /** Undefined for who did not wait for the answer. */
  readonly answer: { readonly status: number; readonly rayId: string } | undefined
}

async function send(n: number): Promise<Sent> {
  const kind = kinds[n % kinds.length]!
  const front = fronts.all[Math.floor(n / kinds.length) % fronts.all.length]!
  const path = `/${kind}/${n}`
  if (kind === 'aborted') {
    await front.leave(path)
    return { kind, path, answer: undefined }
  }
  const query = kind === 'owasp' ? `?q=${attack}` : ''
  const method = kind === 'head' ? 'HEAD' : 'GET'
  const answer = await front.send(`${path}${query}`, { method })
  return { kind, path, answer: { status: answer.status, rayId: String(answer.headers['ray-id']) } }
}

/** All requests, so many at a time. */
async function sendAll(count: number, parallel: number): Promise<Sent[]> {
  const sent: Sent[] = []
  let next = 0
  const work = async () => {
    while (next < count) sent.push(await send(next++))
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return sent
}

type Line = Readonly<Record<string, unknown>>

/** Every record that was received since, as a job that begins there delivers it. */
async function delivered(
  dataset: string,
  fields: readonly string[],
  start: string,
  wanted: number,
): Promise<Line[]> {
  const folder = join(sluice.data, 'delivered', dataset)
  const made = await api(sluice, 'POST', `/zones/${zone}/logpush/jobs`, {
    dataset,
    destination_conf: `file://${folder}`,
    enabled: true,
    start,
    output_options: { field_names: fields },
  })
  assert.equal(made.status, 200, JSON.stringify(made.errors))
  let lines: Line[] = []
  for (let turn = 0; turn < 180 && lines.length < wanted; turn++) {
    await sleep(250)
    lines = await readLogFiles(folder)
  }
  // And then no more.
  await sleep(1000)
  return readLogFiles(folder)
}

function grouped(lines: readonly Line[], field: string): Map<unknown, Line[]> {
  const groups = new Map<unknown, Line[]>()
  for (const line of lines) groups.set(line[field], [...(groups.get(line[field]) ?? []), line])
  return groups
}

test('every answered request has one record, and the events of a mitigated one carry its ray id', {
  skip,
}, async () => {
  const start = new Date().toISOString()
  const sent = await sendAll(600, 20)
  await sleep(1000)
  const answered = sent.filter(one => one.answer !== undefined)
  const expected: Readonly<Record<Kind, readonly number[]>> = {
    allowed: [200],
    custom: [403],
    owasp: [403],
    challenged: [403],
    limited: [200, 429],
    aborted: [],
    head: [200],
    missing: [404],
  }
  for (const { kind, path, answer } of answered)
    assert.ok(expected[kind].includes(answer!.status), `${path}: ${answer!.status}`)
  const statuses = new Set(sent.filter(one => one.kind === 'limited').map(one => one.answer!.status))
  assert.deepEqual([...statuses].sort(), [200, 429], 'the rate limit is met')

  const fields = [
    'RayID',
    'ClientRequestPath',
    'ClientRequestMethod',
    'EdgeResponseStatus',
    'SecurityAction',
    'SecurityActions',
  ]
  const requests = await delivered('http_requests', fields, start, answered.length)
  const byPath = grouped(requests, 'ClientRequestPath')
  for (const { kind, path, answer } of sent) {
    const records = byPath.get(path) ?? []
    if (answer === undefined) {
      assert.ok(records.length <= 1, `${path} has ${records.length} records`)
      continue
    }
    assert.equal(records.length, 1, `${path} has ${records.length} records`)
    const [record] = records
    assert.deepEqual(
      [record!['EdgeResponseStatus'], record!['ClientRequestMethod'], answer.rayId.split('-')[0]],
      [answer.status, kind === 'head' ? 'HEAD' : 'GET', record!['RayID']],
      path,
    )
  }
  assert.equal(new Set(requests.map(line => line['RayID'])).size, requests.length, 'ray ids are unique')
  assert.equal(byPath.size, requests.length, 'there are records of nothing else')

  const mitigated = answered.filter(({ answer }) => answer!.status === 403 || answer!.status === 429)
  const events = await delivered(
    'firewall_events',
    ['RayID', 'Action', 'ClientRequestPath', 'Source'],
    start,
    mitigated.length,
  )
  const byRay = grouped(events, 'RayID')
  const actions: Partial<Record<Kind, string>> = {
    custom: 'block',
    owasp: 'block',
    challenged: 'managedchallenge',
    limited: 'block',
  }
  for (const { kind, path, answer } of mitigated) {
    const own = byRay.get(answer!.rayId.split('-')[0]) ?? []
    assert.ok(
      own.some(event => event['Action'] === actions[kind]),
      `${path}: ${JSON.stringify(own)}`,
    )
    for (const event of own) assert.equal(event['ClientRequestPath'], path)
    const [record] = byPath.get(path)!
    assert.notEqual(record!['SecurityAction'], '', path)
  }
  const known = new Set(requests.map(line => line['RayID']))
  for (const event of events)
    assert.ok(known.has(event['RayID']), `an event without a request: ${JSON.stringify(event)}`)
  const passed = new Set(
    answered.filter(({ kind }) => ['allowed', 'head', 'missing'].includes(kind)).map(({ path }) => path),
  )
  assert.ok(
    !events.some(event => passed.has(String(event['ClientRequestPath']))),
    'passed requests have no event',
  )
})
