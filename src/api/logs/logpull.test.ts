import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import Cloudflare from 'cloudflare'
import { openLocalRecordLog, type RecordLog } from '../../bus/index.ts'
import { pullLogs, RayIdTooFarError } from '../../logpush/index.ts'
import type { ApiDeps } from '../deps.ts'
import { openTestApi, type TestApi, token } from '../testing/test-api.ts'
import { logpullRequestLimits } from './limits.ts'

/** The API over a real record log, whose records are ten minutes old for it. */
const agoMs = 600_000
let aheadMs = agoMs
const clock = { nowMs: () => Date.now() + aheadMs }

let api: TestApi
let baseURL: string
let client: Cloudflare
let zone_id: string
let log: RecordLog
/** The records that the next calls read instead of the log. */
let readInstead: ApiDeps['readLogs'] | undefined

before(async () => {
  let read: ApiDeps['readLogs']
  api = await openTestApi({ clock, readLogs: (pull, signal) => (readInstead ?? read)(pull, signal) })
  baseURL = `${await api.app.listen({ port: 0, host: '127.0.0.1' })}/client/v4`
  client = new Cloudflare({ baseURL, maxRetries: 0, apiToken: token })
  zone_id = api.zoneId
  log = openLocalRecordLog(join(api.directory, 'spool'), fault => assert.fail(fault.message))
  const writer = await log.writer('edge-1')
  for (const fields of [
    { RayID: '00000000000000a1', ClientRequestURI: '/?x=${jndi}', EdgeStartTimestamp: '1700000000000000001' },
    { RayID: '00000000000000a2', ClientRequestURI: '/é' },
    { RayID: '00000000000000a3' },
  ])
    writer.append(JSON.stringify({ zone: zone_id, dataset: 'http_requests', fields }))
  await writer.flush()
  const reader = await log.reader()
  read = (pull, signal) => pullLogs(reader, pull, signal)
})
after(async () => {
  await log.close()
  await api.close()
})
beforeEach(async () => {
  // Past the minute of the requests that the test before has made.
  aheadMs += 60_000
  readInstead = undefined
  await setFlag(true)
})

const setFlag = (flag: boolean) => api.send('POST', `${api.zonePath}/logs/control/retention/flag`, { flag })

const range = () => ({
  start: Math.floor(Date.now() / 1000) - 60,
  end: Math.floor(Date.now() / 1000) + 60,
})

function url(query: Readonly<Record<string, string | number>>, path = 'received'): string {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return `/client/v4${api.zonePath}/logs/${path}?${text}`
}

const get = (address: string, headers: Readonly<Record<string, string>> = {}) =>
  api.app.inject({ url: address, headers: { authorization: `Bearer ${token}`, ...headers } })

test('the client pulls records, fields, a ray id and the flag', async () => {
  assert.deepEqual(await client.logs.control.retention.get({ zone_id }), { flag: true })
  assert.deepEqual(await client.logs.control.retention.create({ zone_id, flag: false }), { flag: false })
  await assert.rejects(client.logs.received.get({ zone_id, ...range() }), Cloudflare.PermissionDeniedError)
  assert.deepEqual(await client.logs.control.retention.create({ zone_id, flag: true }), { flag: true })

  const lines = await client.logs.received.get({ zone_id, ...range(), fields: 'RayID', count: 2 })
  assert.equal(lines, '{"RayID":"00000000000000a1"}\n{"RayID":"00000000000000a2"}\n')
  const fields = await client.logs.received.fields.get({ zone_id })
  assert.match((fields as unknown as Record<string, string>)['RayID']!, /^string; /)
  const one = await client.logs.RayID.get('00000000000000a3', { zone_id, fields: 'RayID' })
  assert.equal(one, '{"RayID":"00000000000000a3"}\n')
  assert.equal(await client.logs.RayID.get('00000000000000a4', { zone_id }), '')
})

test('records are NDJSON without an envelope, compressed when that is accepted', async () => {
  const query = { ...range(), fields: 'ClientRequestURI,EdgeStartTimestamp', timestamps: 'unix', count: 1 }
  const plain = await get(url(query))
  assert.equal(plain.statusCode, 200)
  assert.equal(plain.headers['content-type'], 'application/x-ndjson')
  assert.equal(plain.headers['content-encoding'], undefined)
  assert.equal(plain.body, '{"ClientRequestURI":"/?x=${jndi}","EdgeStartTimestamp":1700000000}\n')
  const defused = await get(url({ ...query, 'CVE-2021-44228': 'true' }))
  assert.match(defused.body, /x=x\{jndi\}/)
  for (const [accepted, compressed] of [
    ['gzip', true],
    ['br, gzip;q=0.5', true],
    ['*', true],
    ['gzip;q=0, *', false],
    ['gzip; q=0.0', false],
    ['identity', false],
  ] as const) {
    const answer = await get(url(query), { 'accept-encoding': accepted })
    assert.equal(answer.headers['content-encoding'], compressed ? 'gzip' : undefined, accepted)
    assert.equal(compressed ? String(gunzipSync(answer.rawPayload)) : answer.body, plain.body, accepted)
  }
  const empty = await get(url({ start: range().start - 600, end: range().start - 300 }))
  assert.deepEqual([empty.statusCode, empty.body], [200, ''])
  const fields = (await get(url({}, 'received/fields'))).json()
  assert.equal(fields.success, undefined)
  assert.match(fields.ClientIP, /^string; /)
})

test('invalid requests are refused in the envelope before reading begins', async () => {
  const { start, end } = range()
  const now = Math.floor(clock.nowMs() / 1000)
  const rows: [string, number, RegExp][] = [
    [url({ start }), 400, /^end is required/],
    [url({ start, end: now }), 400, /1 minute before now/],
    [url({ start, end, fields: 'RayId' }), 400, /did you mean RayID\?/],
    [url({ start, end, count: 0 }), 400, /count/],
    [url({ start, end, count: 'x' }), 400, /count must be/],
    [url({ start, end, timestamps: 'rfc3339ms' }), 400, /timestamps/],
    [url({ start, end, sample: 2 }), 400, /sample/],
    [url({ start, end, since: 1 }), 400, /unknown field "since"/],
    [url({}, 'rayids/00000000000000a1-IAD'), 400, /without the code of a data centre/],
    [url({ sample: 1 }, 'rayids/00000000000000a1'), 400, /unknown field "sample"/],
  ]
  for (const [address, status, want] of rows) {
    const answer = await get(address)
    assert.equal(answer.statusCode, status, address)
    assert.match(answer.json().errors[0].message, want, address)
  }
})

test('while the flag is off, pulls are refused with the remedy', async () => {
  await setFlag(false)
  for (const address of [url(range()), url({}, 'rayids/00000000000000a1')]) {
    const answer = await get(address)
    assert.equal(answer.statusCode, 403)
    const [{ code, message }] = answer.json().errors
    assert.equal(code, 10470)
    assert.match(
      message,
      new RegExp(`POST \\{"flag": true\\} to /zones/${zone_id}/logs/control/retention/flag`),
    )
  }
  for (const body of [{}, { flag: 'true' }, { flag: true, more: 1 }])
    assert.equal(
      (await api.send('POST', `${api.zonePath}/logs/control/retention/flag`, body)).status,
      400,
      JSON.stringify(body),
    )
  const { body } = await api.send('GET', `/accounts/${api.accountId}/audit_logs`)
  const [newest] = body.result
  assert.equal(newest.resource.type ?? newest.resource.kind, 'logpull_retention')
})

test('the requests of a zone per minute are limited', async () => {
  for (let n = 0; n < logpullRequestLimits.zoneRequestsMax; n++)
    assert.equal((await get(url({ ...range(), count: 1 }))).statusCode, 200)
  const refused = await get(url({}, 'rayids/00000000000000a1'))
  assert.equal(refused.statusCode, 429)
  assert.match(
    refused.json().errors[0].message,
    /^at most 15 requests .* per zone and minute; try again in \d+ s$/,
  )
  assert.ok(Number(refused.headers['retry-after']) > 50)
  assert.equal((await get(url({}, 'received/fields'))).statusCode, 200)
  aheadMs += 60_000
  assert.equal((await get(url({}, 'rayids/00000000000000a1'))).statusCode, 200)
})

test('concurrent responses are limited, and a disconnected client frees its slot', async () => {
  let ended = 0
  readInstead = async function* (_pull, signal) {
    try {
      while (!signal.aborted) yield `${'x'.repeat(65_536)}\n`
    } finally {
      ended++
    }
  }
  const clients = await Promise.all(
    Array.from({ length: logpullRequestLimits.readersMax }, async () => {
      const sent = request(`${baseURL}${url(range()).slice('/client/v4'.length)}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      sent.on('error', () => {})
      sent.end()
      const [answer] = await once(sent, 'response')
      assert.equal(answer.statusCode, 200)
      return sent
    }),
  )
  const refused = await get(url(range()))
  assert.equal(refused.statusCode, 429)
  assert.equal(refused.json().errors[0].code, 10472)
  for (const sent of clients) sent.destroy()
  while (ended < clients.length) await new Promise(resolve => setTimeout(resolve, 10))
  readInstead = undefined
  assert.equal((await get(url(range()))).statusCode, 200)
})

test('a failure before the response is a refusal, a later one a line of text', async () => {
  const failing = (lines: number, error: Error): ApiDeps['readLogs'] =>
    async function* () {
      for (let n = 0; n < lines; n++) yield `{"n":${n}}\n`
      throw error
    }
  readInstead = failing(0, new Error('disk'))
  const away = await get(url(range()))
  assert.deepEqual([away.statusCode, away.json().errors[0].code], [503, 10473])
  readInstead = failing(0, new RayIdTooFarError(0))
  const far = await get(url({}, 'rayids/00000000000000a1'))
  assert.deepEqual([far.statusCode, far.json().errors[0].code], [400, 10474])
  assert.match(far.json().errors[0].message, /since 1970-01-01T00:00:00/)
  readInstead = failing(2, new Error('disk'))
  for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
    const broken = await get(url(range()), headers)
    assert.equal(broken.statusCode, 200)
    const body = 'accept-encoding' in headers ? String(gunzipSync(broken.rawPayload)) : broken.body
    assert.equal(body, '{"n":0}\n{"n":1}\nstreaming failed: disk\n')
  }
  // All slots are free again.
  readInstead = undefined
  for (let n = 0; n <= logpullRequestLimits.readersMax; n++)
    assert.equal((await get(url(range()))).statusCode, 200)
})

test('a stop of the server does not wait for long answers', async () => {
  const own = await openTestApi({
    async *readLogs(_pull, signal) {
      for (;;) {
        signal.throwIfAborted()
        yield '{}\n'
        await new Promise(setImmediate)
      }
    },
  })
  await own.send('POST', `${own.zonePath}/logs/control/retention/flag`, { flag: true })
  const base = await own.app.listen({ port: 0, host: '127.0.0.1' })
  const { start } = range()
  const address = `${base}/client/v4${own.zonePath}/logs/received?start=${start - 300}&end=${start - 60}`
  const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } })
  const [body] = await Promise.all([answer.text(), own.close()])
  assert.ok(body.startsWith('{}\n'))
  assert.ok(body.endsWith('\nstreaming failed: the server stops\n'))
})

test('reading needs Logs Read, and the flag Logs Write', async () => {
  const groups = (await api.send('GET', '/user/tokens/permission_groups')).body.result
  const logsRead = groups.find((group: { name: string }) => group.name === 'Logs Read')
  const zoneRead = groups.find((group: { name: string }) => group.name === 'Zone Read')
  const made = async (group: { id: string }): Promise<string> => {
    const answer = await api.send('POST', '/user/tokens', {
      name: 'x',
      policies: [
        {
          effect: 'allow',
          permission_groups: [{ id: group.id }],
          resources: { 'com.cloudflare.api.account.zone.*': '*' },
        },
      ],
    })
    return answer.body.result.value
  }
  const reader = { authorization: `Bearer ${await made(logsRead)}` }
  const stranger = { authorization: `Bearer ${await made(zoneRead)}` }
  assert.equal((await get(url(range()), reader)).statusCode, 200)
  for (const address of [url(range()), url({}, 'received/fields'), url({}, 'control/retention/flag')])
    assert.equal((await get(address, stranger)).statusCode, 403, address)
  const flag = `${api.zonePath}/logs/control/retention/flag`
  assert.equal((await api.send('POST', flag, { flag: true }, reader)).status, 403)
})
