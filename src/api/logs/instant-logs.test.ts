import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Cloudflare from 'cloudflare'
import { WebSocket } from 'ws'
import { openLocalRecordLog, type RecordLog, type RecordWriter } from '../../bus/index.ts'
import { newId } from '../../kit/ids.ts'
import { type InstantLogs, openInstantLogs } from '../../logpush/index.ts'
import { instantLimits } from '../../logpush/limits.ts'
import { apiErrors } from '../http/errors.ts'
import { openTestApi, type TestApi, token } from '../testing/test-api.ts'
import { instantSocketLimits } from './limits.ts'

let api: TestApi
let log: RecordLog
let writer: RecordWriter
let logs: InstantLogs
let directory: string
let base: string
const clock = { aheadMs: 0, nowMs: () => Date.now() + clock.aheadMs }

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-instant-'))
  const policy = { sync: 'never', bytes: 1024 ** 3, full: 'drop-oldest', ageMs: 3_600_000 } as const
  log = openLocalRecordLog(directory, fault => assert.fail(fault.message), policy)
  writer = await log.writer('edge')
  api = await openTestApi({
    clock,
    instantLogs: {
      listen: (session, listener) => logs.listen(session, listener),
      stats: () => logs.stats(),
      close: () => logs.close(),
    },
  })
  const reader = await log.reader()
  logs = openInstantLogs({ store: api.store, reader, clock, onError: message => assert.fail(message) })
  base = await api.app.listen({ port: 0, host: '127.0.0.1' })
})
after(async () => {
  await api.app.close()
  await logs.close()
  await api.close()
  await log.close()
  await rm(directory, { recursive: true })
})

const jobs = () => `${api.zonePath}/logpush/edge/jobs`

/** A session of the zone; one that is there is made to be over first. */
async function newSession(body: object = { fields: 'RayID' }) {
  clock.aheadMs += instantLimits.sessionMs
  const answer = await api.send('POST', jobs(), body, { host: new URL(base).host })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.result as { readonly destination_conf: string; readonly session_id: string }
}

/** A connection that collects lines. */
async function listenTo(url: string): Promise<{ readonly socket: WebSocket; readonly lines: string[] }> {
  const socket = new WebSocket(url)
  const lines: string[] = []
  socket.on('message', data => lines.push(...String(data).trimEnd().split('\n')))
  await once(socket, 'open')
  return { socket, lines }
}

async function write(count: number, fields: (n: number) => object): Promise<void> {
  for (let n = 0; n < count; n++) {
    const stored = { zone: api.zoneId, account: api.accountId, dataset: 'http_requests', fields: fields(n) }
    writer.append(JSON.stringify(stored))
  }
  await writer.flush()
}

async function until(condition: () => boolean, turns = 500): Promise<void> {
  for (let turn = 0; turn < turns && !condition(); turn++) await sleep(10)
  assert.ok(condition())
}

/** Status of the refusal, and its first error. */
async function refusalOf(url: string): Promise<{ readonly status: number; readonly code: number }> {
  const socket = new WebSocket(url)
  const [, answer] = await once(socket, 'unexpected-response')
  assert.equal(answer.headers.connection, 'close')
  const body = JSON.parse(String(await answer.toArray()))
  assert.equal(body.success, false)
  return { status: answer.statusCode, code: body.errors[0].code }
}

test('an ended session allows another one', async () => {
  const first = await newSession()
  assert.equal((await api.send('POST', jobs(), { fields: 'ClientIP' })).status, 403)
  const ended = await api.send('DELETE', jobs())
  assert.deepEqual([ended.status, ended.body.result], [200, []])
  assert.deepEqual((await api.send('GET', jobs())).body.result, [])
  assert.equal((await api.send('DELETE', jobs())).status, 200)
  const second = await api.send('POST', jobs(), { fields: 'ClientIP' })
  assert.equal(second.status, 200)
  assert.notEqual(second.body.result.session_id, first.session_id)
  await api.send('DELETE', jobs())
})

test('a session is returned whole, and the list has it', async () => {
  const filter = '{"where":{"key":"ClientRequestMethod","operator":"eq","value":"GET"}}'
  const host = 'logs.example:8443'
  const answer = await api.send(
    'POST',
    jobs(),
    { fields: 'ClientIP,RayID', filter, sample: 10, kind: 'instant-logs' },
    { host },
  )
  assert.equal(answer.status, 200)
  const { session_id, ...rest } = answer.body.result
  assert.match(session_id, /^[0-9a-f]{32}$/)
  assert.deepEqual(rest, {
    destination_conf: `ws://${host}/instant-logs/ws/sessions/${session_id}`,
    kind: 'instant-logs',
    fields: 'ClientIP,RayID',
    filter,
    sample: 10,
  })
  for (const path of [jobs(), `${api.zonePath}/logpush/edge`]) {
    const list = await api.send('GET', path, undefined, { host })
    assert.deepEqual(list.body.result, [answer.body.result])
  }
  // The trail has the session, without its credential.
  const trail = await api.send('GET', `/accounts/${api.accountId}/audit_logs?action.type=create`)
  assert.equal(trail.body.result[0].resource.type, 'instant_logs_session')
  assert.ok(!JSON.stringify(trail.body).includes(session_id))
})

test('behind a trusted proxy that ends TLS the address is wss', async () => {
  clock.aheadMs += instantLimits.sessionMs
  const answer = await api.app.inject({
    method: 'POST',
    url: `/client/v4${jobs()}`,
    remoteAddress: '127.0.0.9',
    headers: {
      authorization: `Bearer ${token}`,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'sluice.example',
    },
    payload: {},
  })
  const { destination_conf, fields, filter, sample } = answer.json().result
  assert.match(destination_conf, /^wss:\/\/sluice\.example\/instant-logs\/ws\/sessions\/[0-9a-f]{32}$/)
  assert.match(fields, /^ClientIP,/)
  assert.deepEqual([filter, sample], ['', 1])
})

test('a second session is refused until the first is over', async () => {
  await newSession()
  const refused = await api.send('POST', `${api.zonePath}/logpush/edge`, {})
  assert.equal(refused.status, 403)
  assert.equal(refused.body.errors[0].code, 1004)
  assert.match(refused.body.errors[0].message, /has an active one/)
  clock.aheadMs += instantLimits.idleMs
  assert.deepEqual((await api.send('GET', jobs())).body.result, [])
  assert.equal((await api.send('POST', jobs(), {})).status, 200)
  assert.equal((await api.store.instant.list(api.zoneId)).length, 1)
})

test('a refusal of a body names the error and its pointer', async t => {
  const rows: [name: string, body: object, pointer: string][] = [
    ['field', { fields: 'Nothing' }, '/fields'],
    ['fields', { fields: ['RayID'] }, '/fields'],
    ['filter', { filter: '{"where":{"key":"RayID","operator":"neq","value":"1"}}' }, '/filter'],
    ['filter type', { filter: {} }, '/filter'],
    ['sample', { sample: 0 }, '/sample'],
    ['sample type', { sample: '10' }, '/sample'],
    ['kind', { kind: 'edge' }, '/kind'],
    ['unknown', { dataset: 'http_requests' }, '/dataset'],
  ]
  clock.aheadMs += instantLimits.sessionMs
  for (const [name, body, pointer] of rows)
    await t.test(name, async () => {
      const answer = await api.send('POST', jobs(), body)
      assert.equal(answer.status, 400, JSON.stringify(answer.body))
      assert.equal(answer.body.errors[0].source.pointer, pointer)
    })
  assert.deepEqual((await api.send('GET', jobs())).body.result, [])
})

test('every listener receives the filtered lines as they are written', async () => {
  const filter = '{"where":{"key":"EdgeResponseStatus","operator":"eq","value":403}}'
  const { destination_conf: url } = await newSession({ fields: 'RayID,EdgeResponseStatus', filter })
  const [first, second] = await Promise.all([listenTo(url), listenTo(url)])
  await write(100, n => ({ RayID: `r${n}`, EdgeResponseStatus: n % 10 === 0 ? 403 : 200 }))
  await until(() => first.lines.length === 10 && second.lines.length === 10)
  assert.equal(first.lines[1], '{"RayID":"r10","EdgeResponseStatus":403,"sampleInterval":1}')
  assert.deepEqual(first.lines, second.lines)
  // Messages of a listener have no effect.
  first.socket.send('hello')
  first.socket.ping()
  await write(10, n => ({ RayID: `s${n}`, EdgeResponseStatus: 403 }))
  await until(() => first.lines.length === 20)
  first.socket.close()
  second.socket.close()
  await until(() => logs.stats().listeners === 0)
})

test('a sample has one in n records, with its weight', async () => {
  const { destination_conf: url } = await newSession({ fields: 'RayID', sample: 10 })
  const { socket, lines } = await listenTo(url)
  await write(1000, n => ({ RayID: `r${n}` }))
  await until(() => lines.length > 50)
  await sleep(300)
  assert.ok(lines.length < 160, String(lines.length))
  assert.ok(lines.every(line => line.endsWith(',"sampleInterval":10}')))
  socket.close()
})

test('a slow reader loses lines and gets their number; another reader gets all', async () => {
  const { destination_conf: url } = await newSession({ fields: 'RayID,ClientRequestUserAgent' })
  const slow = await listenTo(url)
  const quick = await listenTo(url)
  slow.socket.pause()
  const agent = 'x'.repeat(10_000)
  const count = 3000
  // In parts, so that the fast reader keeps up on any machine.
  for (let part = 0; part < 30; part++) {
    const before = quick.lines.length
    await write(count / 30, n => ({ RayID: `r${n}`, ClientRequestUserAgent: agent }))
    await until(() => quick.lines.length === before + count / 30)
  }
  const { linesLeftOut } = logs.stats()
  assert.ok(linesLeftOut > 0)
  slow.socket.resume()
  await until(() => slow.lines.length === count - linesLeftOut)
  const closed = once(slow.socket, 'close')
  clock.aheadMs += instantLimits.sessionMs
  const [code, reason] = await closed
  assert.equal(code, 1000)
  assert.match(
    String(reason),
    new RegExp(`^the session is over after 60 minutes; ${linesLeftOut} lines were left out`),
  )
  await until(() => logs.stats().sessions === 0)
  await until(() => api.logLines.some(line => line.includes(`"lines":${linesLeftOut}`)))
})

test('an ended, unknown or malformed session is refused', async () => {
  const { destination_conf: url } = await newSession()
  const other = (id: string) => url.replace(/[0-9a-f]{32}$/, id)
  assert.deepEqual(await refusalOf(other(newId())), { status: 404, code: 10490 })
  assert.deepEqual(await refusalOf(other('x')), { status: 404, code: 10490 })
  assert.deepEqual(await refusalOf(`${url}/more`), { status: 404, code: 7003 })
  clock.aheadMs += instantLimits.idleMs
  assert.deepEqual(await refusalOf(url), { status: 410, code: 10491 })
})

test('a listener keeps the session alive, until 5 minutes after it disconnects', async () => {
  const { destination_conf: url } = await newSession()
  const { socket } = await listenTo(url)
  const [session] = await api.store.instant.list(api.zoneId)
  clock.aheadMs += instantLimits.idleMs - 1000
  // The listener is recorded within a second after a minute.
  for (let turn = 0; turn < 3000; turn++) {
    if ((await api.store.instant.get(session!.id))!.listenedOn !== session!.listenedOn) break
    await sleep(10)
  }
  clock.aheadMs += instantLimits.idleMs - 1000
  assert.equal((await api.send('POST', jobs(), {})).status, 403)
  socket.close()
  await until(() => logs.stats().listeners === 0)
  await listenTo(url).then(again => again.socket.close())
})

test('listeners and attempts are limited', async () => {
  const { destination_conf: url } = await newSession()
  const open = []
  for (let n = 0; n < instantLimits.listenersMax; n++) open.push(await listenTo(url))
  assert.deepEqual(await refusalOf(url), { status: 429, code: 10492 })
  for (const { socket } of open) socket.close()
  await until(() => logs.stats().listeners === 0)
  let last = await refusalOf(url.replace(/.$/, 'x'))
  for (let n = 0; n < instantSocketLimits.attemptsMax && last.status === 404; n++)
    last = await refusalOf(url.replace(/.$/, 'x'))
  assert.deepEqual(last, { status: 429, code: 10493 })
  clock.aheadMs += 60_000
  assert.deepEqual(await refusalOf(url.replace(/.$/, 'x')), { status: 404, code: 10490 })
})

test('a listener with too many messages is disconnected', async () => {
  const { destination_conf: url } = await newSession()
  const loud = await listenTo(url)
  const closedLoud = once(loud.socket, 'close')
  loud.socket.send('x'.repeat(instantSocketLimits.messageBytesMax + 1))
  assert.equal((await closedLoud)[0], 1009)
  const chatty = await listenTo(url)
  const closedChatty = once(chatty.socket, 'close')
  for (let n = 0; n <= instantSocketLimits.messagesMax; n++) chatty.socket.send('x')
  assert.equal((await closedChatty)[0], 1008)
})

test('requests without WebSocket are answered as usual', async () => {
  const { destination_conf: url } = await newSession()
  const plain = await fetch(url.replace('ws:', 'http:'))
  assert.deepEqual([plain.status, plain.headers.get('upgrade')], [426, 'websocket'])
  // Some clients ask for HTTP/2 with every request; with a body too.
  const h2c = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' }
  const credentials = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  assert.equal(
    await statusOf(`${base}/client/v4${jobs()}`, 'POST', { ...h2c, ...credentials }, '{"sample": 0}'),
    400,
  )
  const socket = new WebSocket(`${base.replace('http', 'ws')}/client/v4/zones`)
  const [, answer] = await once(socket, 'unexpected-response')
  assert.equal(answer.statusCode, 400)
  // Handshakes that are none.
  const websocket = { connection: 'Upgrade', upgrade: 'websocket' }
  const path = url.replace('ws:', 'http:')
  assert.equal(await statusOf(path, 'GET', websocket), 400)
  assert.equal(await statusOf(path, 'POST', websocket), 405)
  assert.equal(logs.stats().listeners, 0)
})

test('an upgrade with a missing or late body is ignored', async () => {
  const { hostname, port, host } = new URL(base)
  const path = new URL((await newSession()).destination_conf).pathname
  for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'])
    for (const body of ['content-length: 7', 'transfer-encoding: chunked']) {
      const socket = connect(Number(port), hostname)
      const head = [
        `${method} ${path} HTTP/1.1`,
        `host: ${host}`,
        'connection: upgrade',
        'upgrade: websocket',
      ]
      const handshake = ['sec-websocket-version: 13', 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==']
      socket.write([...head, ...handshake, 'content-type: application/json', body, '', ''].join('\r\n'))
      // A refusal that needs no body comes at once; the others wait for it as they would on any route.
      await Promise.race([once(socket, 'data'), sleep(20)])
      socket.write(body.endsWith('7') ? '{"a":1}' : '0\r\n\r\n')
      socket.destroy()
    }
  const whole = { connection: 'Upgrade', upgrade: 'websocket', 'content-length': '7' }
  assert.equal(await statusOf(`${base}${path}`, 'GET', whole, '{"a":1}'), 426)
  assert.equal(logs.stats().listeners, 0)
})

function statusOf(url: string, method: string, headers: OutgoingHttpHeaders, body = ''): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers }, answer => {
      answer.resume()
      resolve(answer.statusCode)
    })
    request.on('error', reject)
    request.end(body)
  })
}

test('listening needs Logs Read', async () => {
  clock.aheadMs += instantLimits.sessionMs
  const groups = (await api.send('GET', '/user/tokens/permission_groups')).body.result
  const tokenFor = async (name: string) => {
    const { id } = groups.find((one: { name: string; scopes: string[] }) => one.name === name)
    const resources = { [`com.cloudflare.api.account.zone.${api.zoneId}`]: '*' }
    const policies = [{ effect: 'allow', permission_groups: [{ id }], resources }]
    const answer = await api.send('POST', '/user/tokens', { name, policies })
    return { authorization: `Bearer ${answer.body.result.value}` }
  }
  assert.equal((await api.send('POST', jobs(), {}, await tokenFor('Zone Read'))).status, 403)
  assert.equal((await api.send('POST', jobs(), {}, await tokenFor('Logs Read'))).status, 200)
  assert.equal((await api.send('GET', jobs(), undefined, await tokenFor('Logs Read'))).body.result.length, 1)
})

test('the SDK', async () => {
  clock.aheadMs += instantLimits.sessionMs
  const client = new Cloudflare({ baseURL: `${base}/client/v4`, apiToken: token, maxRetries: 0 })
  const zone_id = api.zoneId
  const made = await client.logpush.edge.create({ zone_id, fields: 'RayID', sample: 1 })
  const listed = []
  for await (const job of client.logpush.edge.get({ zone_id })) listed.push(job)
  assert.deepEqual(listed, [made])
  const { socket } = await listenTo(made!.destination_conf!)
  socket.close()
})

test('a page of another origin cannot listen', async () => {
  const { destination_conf: url } = await newSession()
  const own = new WebSocket(url, { origin: base })
  await once(own, 'open')
  own.close()
  await once(own, 'close')
  for (const origin of [
    'https://evil.example',
    'null',
    `${base}0`,
    `http://evil.example:${new URL(base).port}`,
  ]) {
    const socket = new WebSocket(url, { origin })
    const [, answer] = await once(socket, 'unexpected-response')
    assert.equal(answer.statusCode, 403, origin)
    assert.equal(JSON.parse(String(await answer.toArray())).errors[0].code, apiErrors.wrongOrigin.code)
  }
})

test('a stop closes the connections with a reason', async () => {
  const { destination_conf: url } = await newSession()
  const { socket } = await listenTo(url)
  const closed = once(socket, 'close')
  await api.app.close()
  assert.deepEqual(String((await closed)[1]), 'the server stops')
})
