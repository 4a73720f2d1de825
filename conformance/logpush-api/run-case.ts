import assert from 'node:assert/strict'
import { token } from '../../src/api/testing/test-api.ts'
import type { Scope } from '../../src/model/resource.ts'
import { type Expected, filled, hold, holdEnvelope } from '../expected.ts'
import type { Bench } from './bench.ts'
import type { Case, Request } from './case.ts'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: cases inspect responses of every shape
  readonly body: any
}

type Learnt = Map<string, string | number>

/** Sends a case's requests and checks the response, including the common properties of every response. */
export async function runCase(bench: Bench, row: Case, level: Scope['kind']): Promise<void> {
  await clear(bench)
  const { accountId, zoneId, directory } = bench.api
  const paths = { account: `accounts/${accountId}`, zone: `zones/${zoneId}` }
  const names: Learnt = new Map<string, string | number>([
    ['account', accountId],
    ['zone', zoneId],
    ['scope', paths[level]],
    ['other', paths[level === 'zone' ? 'account' : 'zone']],
    ['folder', directory],
    ['s3', encodeURIComponent(bench.s3.url)],
    ...times(bench),
  ])
  for (const request of row.given ?? []) {
    const { status, text } = await send(bench, request, names, request[1].includes('/logs/received'))
    assert.ok(status < 300, `${request[0]} ${request[1]}: ${text}`)
  }
  const before = await stored(bench)
  // The expectation is resolved before the response: ids must be those known then.
  const known = new Map(names).set('next', (newestIds.get(bench) ?? 0) + 1)
  const answer = await send(bench, row.request, names, row.bare !== undefined)
  const fill = (expected: Expected) => filled(expected, known)
  assert.equal(answer.status, row.status ?? 200, answer.text)
  if (row.error !== undefined) {
    const [code, message, pointer] = row.error
    const [first] = answer.body.errors
    if (code !== undefined) assert.equal(first.code, code, answer.text)
    hold(first.message, fill(message), 'message')
    if (pointer !== undefined) assert.equal(first.source?.pointer, pointer, answer.text)
  }
  if ('result' in row) hold(answer.body.result, fill(row.result), 'result')
  hold(answer.headers, row.headers ?? {}, 'headers')
  if (row.bare !== undefined) holdBare(answer, row.bare, fill)
  if (answer.status >= 300) assert.deepEqual(await stored(bench), before, 'a refusal changed something')
}

/** For the records that can be pulled: a range around their receipt, and ranges beside it. */
function times({ receivedMs, nowMs }: Bench): [string, string | number][] {
  const seconds = (ms: number) => Math.floor(ms / 1000)
  const text = (ms: number) => new Date(seconds(ms) * 1000).toISOString().replace('.000Z', '')
  const [from, to, day] = [receivedMs - 2_000, receivedMs + 60_000, 86_400_000]
  return [
    ['from', seconds(from)],
    ['to', seconds(to)],
    ['fromTime', `${text(from)}Z`],
    ['toTime', `${text(to)}Z`],
    ['fromOffset', `${text(from + 3_600_000)}%2B01:00`],
    ['before', seconds(from - 60_000)],
    ['hourBefore', seconds(to) - 3601],
    ['lately', seconds(nowMs()) - 120],
    ['now', seconds(nowMs())],
    ['longAgo', seconds(nowMs() - 8 * day)],
    ['longAgoEnd', seconds(nowMs() - 8 * day) + 60],
  ]
}

function holdBare(
  { headers, text }: Answer,
  bare: NonNullable<Case['bare']>,
  fill: (expected: Expected) => Expected,
): void {
  if ('json' in bare) hold(JSON.parse(text), fill(bare.json), 'body')
  else {
    hold(text, fill(bare.text), 'text')
    // A client would read the lines as one document.
    assert.doesNotMatch(String(headers['content-type']), /application\/json|\+json/)
  }
}

async function send(bench: Bench, request: Request, names: Learnt, bare: boolean): Promise<Answer> {
  const [method, path, payload, headers = {}] = filled(request, names) as Request
  const sent = Object.entries({ authorization: `Bearer ${token}`, ...headers })
  const answer = await bench.api.app.inject({
    method,
    url: `/client/v4${path}`,
    headers: Object.fromEntries(sent.filter(([, value]) => value !== undefined)) as Record<string, string>,
    ...(payload === undefined ? {} : { payload: payload as object | string }),
  })
  const { statusCode: status, body: text } = answer
  if (bare) return { status, headers: answer.headers, text, body: undefined }
  const body = answer.json()
  holdEnvelope(status, answer.headers, body)
  // Creating and deleting too.
  if (status < 300) assert.equal(status, 200)
  for (const { code } of body.errors) assert.ok(code >= 1000, text)
  await learn(bench, body.result, names)
  return { status, headers: answer.headers, text, body }
}

/** Stores the names of a response, and checks the form of jobs. */
async function learn(bench: Bench, result: unknown, names: Learnt): Promise<void> {
  if (Array.isArray(result)) for (const item of result) checkJob(item)
  if (typeof result !== 'object' || result === null) return
  const object = result as Record<string, unknown>
  checkJob(object)
  if ('dataset' in object) {
    const id = object['id'] as number
    names.set('job', id)
    newestIds.set(bench, Math.max(id, newestIds.get(bench) ?? 0))
  }
  if ('session_id' in object) names.set('session', String(object['session_id']))
  if ('policies' in object && 'value' in object) names.set('value', String(object['value']))
  const file = String(object['filename'] ?? '')
  // Paths of directories are complete.
  if (file.startsWith('owned/')) names.set('challenge', String(await bench.s3.read('logs', file)))
}

/** Ids of jobs are consecutive. */
const newestIds = new WeakMap<Bench, number>()

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** Section 1.3, for every job of every response: the types of its members, and no others. */
function checkJob(job: Record<string, unknown>): void {
  if (typeof job !== 'object' || job === null || !('destination_conf' in job) || !('dataset' in job)) return
  const is =
    (...types: readonly string[]) =>
    (value: unknown) =>
      types.includes(value === null ? 'null' : typeof value)
  const moment = (value: unknown) => value === null || timestamp.test(String(value))
  const members: Record<string, (value: unknown) => boolean> = {
    id: value => Number.isInteger(value) && (value as number) >= 1,
    dataset: is('string'),
    kind: is('string'),
    enabled: is('boolean'),
    name: is('string', 'null'),
    destination_conf: is('string'),
    frequency: is('string'),
    logpull_options: is('string', 'null'),
    output_options: is('object', 'null'),
    filter: is('string', 'null'),
    max_upload_bytes: is('number', 'null'),
    max_upload_interval_seconds: is('number', 'null'),
    max_upload_records: is('number', 'null'),
    last_complete: moment,
    last_error: moment,
    error_message: is('string', 'null'),
  }
  const { filter_attack_traffic: attacks = true, ...always } = job
  assert.equal(typeof attacks, 'boolean')
  assert.deepEqual(Object.keys(always).sort(), Object.keys(members).sort())
  for (const [name, fits] of Object.entries(members))
    assert.ok(fits(job[name]), `${name}: ${JSON.stringify(job)}`)
}

const scopesOf = ({ api: { accountId, zoneId } }: Bench): readonly Scope[] => [
  { kind: 'zone', id: zoneId },
  { kind: 'account', id: accountId },
]

async function stored(bench: Bench): Promise<unknown> {
  const { store, zoneId } = bench.api
  return await Promise.all([
    ...scopesOf(bench).map(scope => store.jobs.list(scope)),
    store.instant.list(zoneId),
    store.retention.get(zoneId),
  ])
}

async function clear(bench: Bench): Promise<void> {
  const { store, zoneId } = bench.api
  for (const scope of scopesOf(bench))
    for (const { id } of await store.jobs.list(scope)) await store.jobs.delete(scope, id)
  for (const { id } of await store.instant.list(zoneId)) await store.instant.delete(id)
  await store.retention.set(zoneId, false)
  // Per-minute counts restart.
  bench.advance(60_000)
}
