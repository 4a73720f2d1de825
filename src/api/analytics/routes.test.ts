import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { type Analytics, AnalyticsAwayError } from '../../analytics/index.ts'
import {
  eventRecord,
  ingest,
  logOf,
  managedMetadata,
  matchedRules,
  rayOf,
  requestRecord,
} from '../../analytics/testing/fill.ts'
import { openLocalRecordLog, type RecordLog } from '../../bus/index.ts'
import { systemClock } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import { pullLogs } from '../../logpush/index.ts'
import { groupOf } from '../access/permissions/groups.ts'
import type { ApiDeps } from '../deps.ts'
import { openTestApi, type TestApi, token } from '../testing/test-api.ts'
import { analyticsRequestLimits } from './limits.ts'

const noonMs = Date.UTC(2026, 0, 2, 12)
const hourMs = 3_600_000

let api: TestApi
let log: RecordLog
let otherZone: string
let emptyZone: string

/** More than a page of an export; the second zone has fewer. */
const eventCount = analyticsRequestLimits.exportPage * 2 + 50
const eventTimes = Array.from({ length: eventCount }, (_, n) => noonMs - 1 - n * 1000)
const rays = {
  blocked: rayOf(noonMs - 1),
  matched: 'b'.repeat(16),
  passed: 'c'.repeat(16),
  logged: 'd'.repeat(16),
}

before(async () => {
  let readLogs: ApiDeps['readLogs']
  api = await openTestApi({
    clock: { nowMs: () => noonMs },
    readLogs: (pull, signal) => readLogs(pull, signal),
  })
  otherZone = await addZone('other.example')
  emptyZone = await addZone('empty.example')
  const here = { zone: api.zoneId, account: api.accountId }
  const there = { zone: otherZone, account: api.accountId }
  const gone = { zone: newId(), account: api.accountId }
  const events = eventTimes.map((timeMs, n) =>
    eventRecord(
      timeMs,
      n % 2 === 0
        ? { Source: 'firewallmanaged', RuleID: 'verdict', Metadata: managedMetadata('942100', '941100') }
        : { Action: 'log', ClientRequestUserAgent: `=cmd("${n}")`, ClientCountry: 'de' },
      here,
    ),
  )
  await ingest(
    api.recordStore,
    logOf([
      ...events,
      eventRecord(noonMs - 5, { ClientRequestPath: '/there' }, there),
      requestRecord(noonMs - 1, { MatchedRules: matchedRules('942100') }, here),
      requestRecord(noonMs - 30 * hourMs, { MatchedRules: matchedRules('942100') }, here),
      requestRecord(noonMs - 2, {}, there),
      requestRecord(noonMs - 2, {}, there),
      requestRecord(noonMs - 2, {}, gone),
    ]),
  )
  log = openLocalRecordLog(join(api.directory, 'spool'), fault => assert.fail(fault.message))
  const writer = await log.writer('edge-1')
  const start = { EdgeStartTimestamp: '1767355199999000000', ClientRequestPath: '/search' }
  writer.append(requestRecord(noonMs, { ...start, RayID: rays.passed }, here))
  writer.append(
    requestRecord(
      noonMs,
      { ...start, RayID: rays.matched, MatchedRules: matchedRules('942100', '920350') },
      here,
    ),
  )
  writer.append(
    requestRecord(
      noonMs,
      {
        ...start,
        RayID: rays.logged,
        SecurityActions: ['log', 'managedChallenge'],
        SecurityRuleIDs: ['custom', 'limit'],
        SecuritySources: ['firewallCustom', 'rateLimit'],
        SecurityRuleID: 'limit',
        SecurityRuleDescription: 'Not too many',
      },
      here,
    ),
  )
  await writer.flush()
  const reader = await log.reader()
  readLogs = (pull, signal) => pullLogs(reader, pull, signal)
})
after(async () => {
  await log.close()
  await api.close()
})

async function addZone(name: string): Promise<string> {
  const id = newId()
  const time = '2026-01-02T03:04:05.000006Z'
  const times = { createdOn: time, modifiedOn: time }
  const zone = {
    id,
    accountId: api.accountId,
    name,
    originUrl: 'http://127.0.0.1:9000',
    paused: false,
    type: 'full' as const,
    ...times,
  }
  await api.store.zones.insert(zone)
  return id
}

const get = (path: string, zone = api.zoneId) => api.send('GET', `/zones/${zone}/security/${path}`)

test('events are listed newest first, page by page', async () => {
  const seen: string[] = []
  let cursor = ''
  for (let pages = 0; pages < 20; pages++) {
    const { status, body } = await get(`events?limit=100${cursor}`)
    assert.equal(status, 200)
    seen.push(...body.result.map((event: { datetime: string }) => event.datetime))
    if (body.result_info === undefined) break
    assert.equal(body.result_info.cursors.after, body.result_info.cursor)
    cursor = `&cursor=${body.result_info.cursor}`
  }
  assert.deepEqual(
    seen,
    eventTimes.map(ms => new Date(ms).toISOString().replace('Z', '000Z')),
  )
})

test('an event has the values of its record', async () => {
  const { body } = await get('events?limit=1')
  const { id, metadata, ...event } = body.result[0]
  assert.match(id, /^\d+-\d+$/)
  assert.deepEqual(metadata, managedMetadata('942100', '941100'))
  assert.deepEqual(event, {
    datetime: '2026-01-02T11:59:59.999000Z',
    ray_id: rays.blocked,
    action: 'block',
    source: 'firewallmanaged',
    rule_id: 'verdict',
    ref: '',
    description: '',
    match_index: 0,
    client_ip: '198.51.100.7',
    client_asn: 0,
    client_country: 'nz',
    method: 'GET',
    scheme: '',
    host: 'shop.example',
    path: '/search',
    query: '',
    protocol: '',
    user_agent: 'curl/8',
    referer: '',
    edge_status: 0,
    origin_status: 0,
  })
})

test('every filter finds its events', async () => {
  const half = eventCount / 2
  const rows: readonly (readonly [query: string, want: number])[] = [
    ['action=log', half],
    ['action=LOG&country=DE', half],
    ['source=firewallmanaged&action=block', half],
    ['action=log&source=firewallmanaged', 0],
    ['rule_id=verdict', half],
    ['matched_rule_id=id-941100', half],
    ['matched_rule_id=id-94110', 0],
    [`ray_id=${rays.blocked}`, 1],
    ['client_ip=198.51.100.7', eventCount],
    ['client_ip=198.51.100.8', 0],
    ['method=GET&host=shop.example&path=/search', eventCount],
    ['path=/there', 0],
    ['user_agent=absent', 0],
    ['since=2026-01-02T11:59:58Z', 2],
    ['until=2026-01-02T11:59:59Z&since=2026-01-02T11:59:57Z', 2],
  ]
  for (const [query, want] of rows) {
    const { status, body } = await get(`events?limit=1000&${query}`)
    assert.equal(status, 200, query)
    assert.equal(body.result.length, want, query)
  }
  assert.equal((await get('events', otherZone)).body.result.length, 1)
  assert.equal((await get('events', emptyZone)).body.result.length, 0)
})

test('invalid queries are refused with the parameter and the reason', async () => {
  const rows: readonly (readonly [path: string, message: RegExp])[] = [
    [
      'events?since=yesterday',
      /'yesterday' is not a valid value for since because it has to be Unix seconds/,
    ],
    ['events?until=2026-01-02', /for until because it has to be/],
    ['events?since=2026-01-03T00:00:00Z', /for since because it is not before until/],
    ['events?since=2025-11-01T00:00:00Z', /for since because it is more than 31 days before until/],
    ['events?limit=0', /for limit because it is less than 1/],
    ['events?limit=1001', /for limit because it is more than 1000/],
    ['events?cursor=MTI', /for cursor because no page has this cursor/],
    ['events?ray_id=XYZ', /for ray_id because it does not match/],
    ['events?action=', /for action because it is empty/],
    ['events?colour=red', /unknown field "colour"/],
    ['events/export?format=xml', /for format because it is not one of ndjson, csv/],
    ['timeseries?group_by=colour', /for group_by because it is not one of none, action/],
    ['timeseries?step=61', /for step because it is not a multiple of 60/],
    ['timeseries?step=0', /for step because it is less than 60/],
    [
      'timeseries?step=60&since=2026-01-01T00:00:00Z',
      /for step because the range has more than 1500 such steps/,
    ],
    ['top', /by is required/],
    ['top?by=path&limit=101', /for limit because it is more than 100/],
    ['rays/xyz', /'xyz' is not a valid value for ray id/],
  ]
  for (const [path, message] of rows) {
    const { status, body } = await get(path)
    assert.equal(status, 400, path)
    assert.match(body.errors[0].message, message, path)
    assert.ok(body.errors[0].code >= 10400, path)
  }
})

test('requests and events over time', async () => {
  const plain = (await get('timeseries?since=2026-01-02T11:00:00Z&step=1800')).body.result
  assert.deepEqual(
    [plain.since, plain.until, plain.step, plain.group_by, plain.other],
    ['2026-01-02T11:00:00.000000Z', '2026-01-02T12:00:00.000000Z', 1800, 'none', null],
  )
  assert.deepEqual(
    plain.series.map((one: { value: string; counts: number[] }) => [one.value, one.counts]),
    [
      ['requests', [0, 1]],
      ['mitigated', [0, 0]],
      ['events', [0, eventCount]],
    ],
  )
  const byRule = (await get('timeseries?since=2026-01-02T11:00:00Z&group_by=matched_rule_id')).body.result
  assert.equal(byRule.step, 60)
  assert.deepEqual(
    byRule.series.map((one: { value: string; ref: string; total: number }) => [
      one.value,
      one.ref,
      one.total,
    ]),
    [
      ['id-941100', '941100', eventCount / 2],
      ['id-942100', '942100', eventCount / 2],
    ],
  )
  assert.equal(byRule.other.total, 0)
  assert.equal((await get('timeseries')).body.result.step, 300)
  assert.equal((await get('timeseries?since=2025-12-26T12:00:00Z')).body.result.step, 3600)
})

test('the values with the most events', async () => {
  const { result } = (await get('top?by=country&limit=1')).body
  // Of equal counts the first in the alphabet.
  assert.deepEqual(result.values, [{ value: 'de', ref: '', events: eventCount / 2, mitigated: 0 }])
  assert.deepEqual(
    [result.by, result.total_events, result.other_events],
    ['country', eventCount, eventCount / 2],
  )
})

test('hits of rules in a day and a week, with the estimate of false positives', async () => {
  const { result } = (await get('rules')).body
  assert.deepEqual(result.day, { since: '2026-01-01T13:00:00.000000Z', until: '2026-01-02T13:00:00.000000Z' })
  assert.deepEqual(result.rules, [
    {
      rule_id: 'id-942100',
      ref: '942100',
      day: { hits: 1, mitigated: 0, passed_well: 1, false_positive_share: 1 },
      week: { hits: 2, mitigated: 0, passed_well: 2, false_positive_share: 1 },
    },
  ])
  assert.deepEqual((await get('rules', emptyZone)).body.result.rules, [])
})

test('the overviews of a zone and of its account', async () => {
  const { result } = (await get('overview', otherZone)).body
  assert.deepEqual([result.requests, result.events, result.statuses['2xx'], result.bytes], [2, 1, 2, 2000])
  const all = await api.send('GET', `/accounts/${api.accountId}/security/overview`)
  assert.deepEqual(
    all.body.result.zones.map((zone: { name: string; day: { requests: number } }) => [
      zone.name,
      zone.day.requests,
    ]),
    [
      ['other.example', 2],
      ['shop.example', 1],
    ],
    'zones that are gone are not there',
  )
  assert.deepEqual(all.body.result.day, { requests: 3, mitigated: 0 })
  assert.deepEqual(all.body.result.hour, { requests: 3, mitigated: 0 })
  const path = `/accounts/${api.accountId}/security/overview`
  const one = (await api.send('GET', `${path}?limit=1`)).body.result
  assert.deepEqual([one.zones.length, one.zones_total], [1, 2])
  const asked = (await api.send('GET', `${path}?zone_ids=${api.zoneId},${emptyZone}`)).body.result
  assert.deepEqual(
    asked.zones.map((zone: { id: string }) => zone.id),
    [api.zoneId],
  )
  assert.equal((await api.send('GET', `${path}?zone_ids=x`)).status, 400)
})

type Phases = readonly { phase: string; outcome: string; rules: readonly Record<string, unknown>[] }[]
const outcomes = (phases: Phases) => phases.map(({ outcome }) => outcome)

test('why: a request that a managed ruleset stopped', async () => {
  const { status, body } = await get(`rays/${rays.blocked}`)
  assert.equal(status, 200)
  const { phases, events, request, request_search: search } = body.result
  assert.deepEqual(outcomes(phases), ['unknown', 'unknown', 'unknown', 'ended', 'not_reached'])
  assert.deepEqual([events.length, request, search], [1, null, 'not_kept'])
  const [rule] = phases[3].rules
  assert.deepEqual([rule.action, rule.score, rule.threshold, rule.matched.length], ['block', 10, 5, 2])
})

test('why: requests without events are explained from their records', async () => {
  const passed = (await get(`rays/${rays.passed}`)).body.result
  assert.deepEqual(outcomes(passed.phases), ['passed', 'passed', 'passed', 'passed', 'passed'])
  assert.equal(passed.request.ClientRequestPath, '/search')
  assert.equal(passed.datetime, '2026-01-02T11:59:59.000000Z')
  assert.equal(passed.request_search, 'found')

  const matched = (await get(`rays/${rays.matched}`)).body.result
  assert.deepEqual(outcomes(matched.phases), ['passed', 'passed', 'passed', 'matched', 'passed'])
  const [run] = matched.phases[3].rules
  assert.deepEqual([run.action, run.score, run.threshold], [null, 10, null])
  assert.deepEqual(run.matched[1], { id: 'id-920350', ref: '920350', score: 5, total: 10, target: 'ARGS:q' })

  const logged = (await get(`rays/${rays.logged}`)).body.result
  assert.deepEqual(outcomes(logged.phases), ['passed', 'acted', 'ended', 'not_reached', 'not_reached'])
  assert.deepEqual(
    logged.phases[2].rules.map((rule: { rule_id: string; description: string }) => [
      rule.rule_id,
      rule.description,
    ]),
    [['limit', 'Not too many']],
  )
})

test('why: the record of an event that just happened is found', async () => {
  const timeMs = Date.now()
  const here = { zone: api.zoneId, account: api.accountId }
  const fresh = await openTestApi({ readLogs: (pull, signal) => pullLogs(reader, pull, signal) })
  const reader = await log.reader()
  const owner = { ...here, zone: fresh.zoneId }
  await ingest(fresh.recordStore, logOf([eventRecord(timeMs, {}, owner)]), {
    clock: systemClock,
  })
  const writer = await log.writer('edge-2')
  writer.append(requestRecord(timeMs, {}, owner))
  await writer.flush()
  const { result } = (await fresh.send('GET', `${fresh.zonePath}/security/rays/${rayOf(timeMs)}`)).body
  assert.equal(result.request.RayID, rayOf(timeMs))
  assert.deepEqual(outcomes(result.phases), ['passed', 'ended', 'not_reached', 'not_reached', 'not_reached'])
  await fresh.close()
})

test('why: an unknown Ray ID, or one of another zone, is not found', async () => {
  for (const [ray, zone] of [
    ['f'.repeat(16), api.zoneId],
    [rays.blocked, emptyZone],
    [rays.passed, otherZone],
  ] as const) {
    const { status, body } = await get(`rays/${ray}`, zone)
    assert.equal(status, 404)
    assert.deepEqual([body.errors[0].code, body.result], [10477, null])
    assert.match(body.errors[0].message, /all stored records were searched/)
  }
})

const fetchExport = (query: string, headers: Readonly<Record<string, string>> = {}) =>
  api.app.inject({
    url: `/client/v4${api.zonePath}/security/events/export${query}`,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })

test('an export has every event, as lines of JSON', async () => {
  const answer = await fetchExport('')
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.headers['content-type'], 'application/x-ndjson')
  assert.equal(answer.headers['content-disposition'], 'attachment; filename="events.ndjson"')
  const lines = answer.body.trimEnd().split('\n')
  assert.equal(lines.length, eventCount)
  const { body } = await get('events?limit=1000')
  assert.deepEqual(
    lines.map(line => JSON.parse(line)),
    body.result,
  )
  const zipped = await fetchExport('?action=log', { 'accept-encoding': 'gzip' })
  assert.equal(zipped.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(zipped.rawPayload).toString().trimEnd().split('\n').length, eventCount / 2)
})

test('an export has every event, as CSV that a spreadsheet does not run', async () => {
  const answer = await fetchExport('?format=csv')
  assert.match(String(answer.headers['content-type']), /^text\/csv/)
  const [head = '', first = '', second = '', ...rest] = answer.body.split('\r\n')
  assert.match(head, /^datetime,ray_id,action,.*,matched_rules$/)
  assert.match(first, /,10,5,942100 5 ARGS:q; 941100 5 ARGS:q$/)
  assert.ok(second.includes(`,"'=cmd(""1"")",`), second)
  assert.equal(rest.length, eventCount - 2 + 1)
  assert.equal((await fetchExport('?format=csv&path=/nowhere')).body, `${head}\r\n`)
})

/** An API whose analytics have events without end. */
async function openEndless(): Promise<{ readonly api: TestApi; readonly pages: () => number }> {
  let pages = 0
  const fields = { RayID: 'a'.repeat(16), ClientRequestUserAgent: 'x'.repeat(4000) }
  const endless: Pick<Analytics, 'events'> = {
    async events(_zone, { limit }) {
      pages++
      const position = { timeMs: noonMs - pages, id: pages }
      return { events: Array.from({ length: limit }, () => ({ position, fields })), next: position }
    },
  }
  const analytics = { ...endless, close: async () => {} } as unknown as Analytics
  return { api: await openTestApi({ analytics }), pages: () => pages }
}

test('an export waits for a client that does not read, and ends with it', async () => {
  const { api: own, pages } = await openEndless()
  await own.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = own.app.server.address() as AddressInfo
  const headers = { authorization: `Bearer ${token}` }
  const path = `/client/v4${own.zonePath}/security/events/export`
  const open = async () => {
    const request = httpRequest({ port, path, headers, agent: false }).end()
    const [response] = await once(request, 'response')
    return { request, response }
  }
  const clients = []
  for (let n = 0; n < analyticsRequestLimits.exportsMax; n++) clients.push(await open())
  const one = await open()
  assert.equal(one.response.statusCode, 429)
  assert.equal(one.response.headers['retry-after'], '1')
  one.request.destroy()
  let before = -1
  for (let tries = 0; tries < 50 && pages() !== before; tries++) {
    before = pages()
    await sleep(300)
  }
  assert.equal(pages(), before, 'nothing is read while the client accepts nothing')
  for (const { request } of clients) request.destroy()
  let again = await open()
  for (let tries = 0; tries < 500 && again.response.statusCode === 429; tries++) {
    again.request.destroy()
    await sleep(20)
    again = await open()
  }
  assert.equal(again.response.statusCode, 200)
  again.request.destroy()
  await own.close()
})

test('clients that disconnect before their export begins take no slot, and none delays the stop', {
  timeout: 20_000,
}, async () => {
  const { api: own } = await openEndless()
  let left = 0
  own.app.addHook('preHandler', async (request, reply) => {
    if (request.headers['x-leaves'] === undefined) return
    request.raw.socket.destroy()
    await once(reply.raw, 'close')
    left++
  })
  await own.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = own.app.server.address() as AddressInfo
  const path = `/client/v4${own.zonePath}/security/events/export`
  const open = (more: object) =>
    httpRequest({ port, path, headers: { authorization: `Bearer ${token}`, ...more }, agent: false }).end()
  for (let n = 0; n < analyticsRequestLimits.exportsMax; n++) await once(open({ 'x-leaves': 'yes' }), 'error')
  while (left < analyticsRequestLimits.exportsMax) await sleep(10)
  const [response] = await once(open({}), 'response')
  assert.equal(response.statusCode, 200)
  const cut = once(response, 'error')
  // It takes nothing until the server has ended.
  await own.close()
  response.resume()
  await cut
})

test('a failed export cuts the connection, so that clients see it is incomplete', async () => {
  let pages = 0
  const position = { timeMs: noonMs, id: 1 }
  const failing = {
    async events() {
      if (++pages > 1) throw new AnalyticsAwayError('the thread that answers has ended')
      return { events: [{ position, fields: {} }], next: position }
    },
    close: async () => {},
  } as unknown as Analytics
  const own = await openTestApi({ analytics: failing })
  await own.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = own.app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/client/v4${own.zonePath}/security/events/export`
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' }
  await assert.rejects(async () => (await fetch(url, { headers })).text())
  await own.close()
})

test('while analytics do not answer, 503 says so', async () => {
  const away = new Proxy(
    {},
    {
      get: (_, name) => (name === 'then' ? undefined : () => Promise.reject(new AnalyticsAwayError('full'))),
    },
  ) as Analytics
  const own = await openTestApi({ analytics: away })
  for (const path of [
    'events',
    'events/export',
    'overview',
    'top?by=path',
    'rules',
    `rays/${rays.blocked}`,
  ]) {
    const { status, body } = await own.send('GET', `${own.zonePath}/security/${path}`)
    assert.deepEqual([status, body.errors[0].code], [503, 10478], path)
  }
  await own.close()
})

test('security events need permission to read logs', async () => {
  const send = (bearer: string, path: string) =>
    api.send('GET', path, undefined, { authorization: `Bearer ${bearer}` })
  const make = async (area: 'zoneLogs' | 'accountLogs' | 'zone', resource: string) => {
    const policies = [
      {
        effect: 'allow',
        permission_groups: [{ id: groupOf(area, 'read').id }],
        resources: { [`com.cloudflare.api.account.${resource}`]: '*' },
      },
    ]
    return (await api.send('POST', '/user/tokens', { name: 'some', policies })).body.result.value as string
  }
  const zoneToken = await make('zoneLogs', `zone.${api.zoneId}`)
  const accountToken = await make('accountLogs', api.accountId)
  const noLogs = await make('zone', `zone.${api.zoneId}`)
  const overview = `/accounts/${api.accountId}/security/overview`
  const rows: readonly (readonly [token: string, path: string, status: number])[] = [
    [zoneToken, `${api.zonePath}/security/events`, 200],
    [zoneToken, `/zones/${otherZone}/security/events`, 403],
    [zoneToken, overview, 403],
    [accountToken, overview, 200],
    [noLogs, `${api.zonePath}/security/events`, 403],
    [noLogs, `${api.zonePath}/security/events/export`, 403],
    [noLogs, `${api.zonePath}/security/rays/${rays.blocked}`, 403],
  ]
  for (const [bearer, path, status] of rows) assert.equal((await send(bearer, path)).status, status, path)
})

test('why: without a search, because there are too many or it fails, the events are shown anyway', async () => {
  let searches = 0
  let fails = false
  const open = Promise.withResolvers<void>()
  const own = await openTestApi({
    // biome-ignore lint/correctness/useYield: nothing is found
    readLogs: async function* () {
      searches++
      if (fails) throw new Error('the disk is gone')
      await open.promise
    },
  })
  const { zonePath, zoneId: zone, accountId: account } = own
  await ingest(
    own.recordStore,
    logOf([eventRecord(Date.now(), { RayID: rays.blocked }, { zone, account })]),
    { clock: systemClock },
  )
  const ask = (ray: string) => own.send('GET', `${zonePath}/security/rays/${ray}`)
  const running = Array.from({ length: analyticsRequestLimits.raySearchesMax }, () => ask('e'.repeat(16)))
  while (searches < running.length) await sleep(5)
  const { body } = await ask(rays.blocked)
  assert.deepEqual([body.result.request_search, body.result.events.length], ['unfinished', 1])
  assert.match((await ask('f'.repeat(16))).body.errors[0].message, /not all records could be searched now/)
  open.resolve()
  for (const { status } of await Promise.all(running)) assert.equal(status, 404)
  fails = true
  assert.equal((await ask(rays.blocked)).body.result.request_search, 'unfinished')
  await own.close()
})
