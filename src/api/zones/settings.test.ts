import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import Cloudflare from 'cloudflare'
import type { Zone } from '../../model/resource.ts'
import { faultIn, zoneSettingTable } from '../../model/zone-setting-table/index.ts'
import { openTestApi, type TestApi, token } from '../testing/test-api.ts'
import { settingOf } from './setting-values.ts'

let api: TestApi
let client: Cloudflare
before(async () => {
  api = await openTestApi()
  const baseURL = `${await api.app.listen({ host: '127.0.0.1', port: 0 })}/client/v4`
  client = new Cloudflare({ baseURL, maxRetries: 0, apiEmail: null, apiKey: null, apiToken: token })
})
after(() => api.close())

test('settings of a zone are listed, read and changed', async () => {
  const settings = `${api.zonePath}/settings`
  const listed = await api.send('GET', settings)
  const ids = listed.body.result.map((one: { id: string }) => one.id)
  assert.deepEqual(ids, ids.toSorted())
  assert.deepEqual(
    listed.body.result.find((one: { id: string }) => one.id === 'ip_geolocation'),
    {
      id: 'ip_geolocation',
      value: 'on',
      editable: true,
      modified_on: null,
    },
  )
  const edited = await client.zones.settings.edit('ip_geolocation', { zone_id: api.zoneId, value: 'off' })
  const { modified_on, ...rest } = edited as { modified_on: string; value: string }
  assert.deepEqual(rest, { id: 'ip_geolocation', value: 'off', editable: true })
  assert.ok(!Number.isNaN(Date.parse(modified_on)))
  assert.deepEqual(await client.zones.settings.get('ip_geolocation', { zone_id: api.zoneId }), edited)

  const several = await api.send('PATCH', settings, {
    items: [
      { id: 'waf_body_limit_action', value: 'reject' },
      { id: 'ip_geolocation', value: 'on' },
    ],
  })
  assert.deepEqual(
    several.body.result.map((one: { id: string; value: string }) => [one.id, one.value]),
    [
      ['waf_body_limit_action', 'reject'],
      ['ip_geolocation', 'on'],
    ],
  )
})

test('the longest upload is a number of megabytes', async () => {
  const setting = `${api.zonePath}/settings/max_upload`
  assert.equal((await api.send('GET', setting)).body.result.value, 5000)
  for (const value of [1, 5000])
    assert.equal((await api.send('PATCH', setting, { value })).body.result.value, value)
  for (const value of [0, 5001, 1.5, '100', null]) {
    const refused = await api.send('PATCH', setting, { value })
    assert.equal(refused.status, 400)
    assert.match(refused.body.errors[0].message, /a whole number from 1 to 5000/)
  }
})

test('time-outs are seconds, as a number or as text, and are returned as they were sent', async () => {
  const setting = `${api.zonePath}/settings/proxy_read_timeout`
  assert.equal((await api.send('GET', setting)).body.result.value, 100)
  for (const value of [1, 6000, '300'])
    assert.equal((await api.send('PATCH', setting, { value })).body.result.value, value)
  const edited = await client.zones.settings.edit('proxy_read_timeout', { zone_id: api.zoneId, value: 300 })
  assert.equal((edited as { value: unknown }).value, 300)
  for (const value of [0, 6001, '0', '6001', '1e2', ' 5', 'off'])
    assert.equal((await api.send('PATCH', setting, { value })).status, 400, String(value))
  const connect = `${api.zonePath}/settings/proxy_connect_timeout`
  assert.equal((await api.send('GET', connect)).body.result.value, 10)
  assert.equal((await api.send('PATCH', connect, { value: 61 })).status, 400)
})

test('ssl is what the origin’s URL says, until it is chosen', async () => {
  const setting = `${api.zonePath}/settings/ssl`
  const value = async () => (await api.send('GET', setting)).body.result.value
  const move = (url: string) => api.send('PATCH', api.zonePath, { origin: { url } })
  const { origin } = (await api.send('GET', api.zonePath)).body.result
  await move('http://origin.test')
  assert.equal(await value(), 'flexible')
  await move('https://origin.test')
  assert.equal(await value(), 'strict')
  const chosen = await client.zones.settings.edit('ssl', { zone_id: api.zoneId, value: 'full' })
  assert.equal((chosen as { value: string }).value, 'full')
  await move(origin.url)
  assert.equal(await value(), 'full')
})

test('invalid settings are refused and change nothing', async () => {
  const settings = `${api.zonePath}/settings`
  const before = (await api.send('GET', settings)).body.result
  const rows: ['GET' | 'PATCH', string, unknown, number, string | undefined][] = [
    ['PATCH', `${settings}/ip_geolocation`, { value: true }, 1007, '/value'],
    ['PATCH', `${settings}/ssl`, { value: 'origin_pull' }, 1007, '/value'],
    ['PATCH', `${settings}/ip_geolocation`, {}, 10421, '/value'],
    ['PATCH', `${settings}/rocket_loader`, { value: 'on' }, 10426, '/value'],
    ['PATCH', `${settings}/nel`, { value: { enabled: 'yes' } }, 1007, '/value/enabled'],
    ['PATCH', `${settings}/nel`, { value: { 'a/b': true } }, 1007, '/value/a~1b'],
    ['PATCH', `${settings}/ssl_recommender`, { enabled: true }, 10426, '/enabled'],
    ['PATCH', `${settings}/http2`, { enabled: true }, 10421, '/value'],
    ['PATCH', `${settings}/nonsense`, { value: 'on' }, 1006, undefined],
    ['PATCH', `${settings}/constructor`, { value: 'on' }, 1006, undefined],
    ['GET', `${settings}/nonsense`, undefined, 1006, undefined],
    ['PATCH', settings, { items: [{ id: 'nonsense', value: 1 }] }, 1006, '/items/0/id'],
    [
      'PATCH',
      settings,
      {
        items: [
          { id: 'ip_geolocation', value: 'off' },
          { id: 'waf_body_limit_action', value: 'x' },
        ],
      },
      1007,
      '/items/1/value',
    ],
  ]
  for (const [method, path, body, code, pointer] of rows) {
    const answer = await api.send(method, path, body as object)
    assert.equal(answer.status, 400, path)
    assert.equal(answer.body.errors[0].code, code, path)
    assert.equal(answer.body.errors[0].source?.pointer, pointer, path)
  }
  assert.deepEqual((await api.send('GET', settings)).body.result, before)
})

test('every setting of the official client is known, with a default that it allows', async () => {
  const types = createRequire(import.meta.url)
    .resolve('cloudflare/resources/zones/settings')
    .replace(/\.js$/, '.d.ts')
  const named = readFileSync(types, 'utf8').matchAll(/\bid\??: '([a-z0-9_]{3,40})';/g)
  const ids = new Set(Array.from(named, ([, id]) => id!).filter(id => !/^[0-9a-f]{32}$/.test(id)))
  assert.ok(ids.size > 60)
  assert.deepEqual(
    [...ids].filter(id => !zoneSettingTable.has(id)),
    [],
  )
  for (const [id, { shape, default: byDefault }] of zoneSettingTable)
    assert.equal(faultIn(shape, byDefault), undefined, id)
})

test('a value that asks for what happens anyway is written without a note', async () => {
  for (const [id, value] of [
    ['rocket_loader', 'off'],
    ['browser_cache_ttl', 0],
    ['nel', { enabled: false }],
  ]) {
    const { status, body } = await api.send('PATCH', `${api.zonePath}/settings/${id}`, { value })
    assert.deepEqual([status, body.result.value, body.messages], [200, value, []], String(id))
  }
})

test('a value that acts in part is written, and the answer says how', async () => {
  const { status, body } = await api.send('PATCH', `${api.zonePath}/settings/min_tls_version`, {
    value: '1.1',
  })
  assert.equal(status, 200)
  assert.match(body.messages[0].message, /^partly enforced here: min_tls_version "1.1": .* older than 1.2$/)
})

test('with keep, a value without effect is returned as sent, with a message and an audit entry', async t => {
  const keeping = await openTestApi({ notEnforced: 'keep' })
  t.after(() => keeping.close())
  const settings = `${keeping.zonePath}/settings`
  const message = 'not enforced here: rocket_loader "on": pages and images go through as the origin made them'
  const kept = await keeping.send('PATCH', settings, {
    items: [
      { id: 'rocket_loader', value: 'on' },
      { id: 'http2', value: 'on' },
    ],
  })
  assert.deepEqual(
    kept.body.messages.map((one: { message: string }) => one.message),
    [message],
  )
  assert.equal((await keeping.send('GET', `${settings}/rocket_loader`)).body.result.value, 'on')
  const trail = await keeping.send(
    'GET',
    `/accounts/${keeping.accountId}/audit_logs?direction=desc&per_page=1`,
  )
  const [first, second] = trail.body.result[0].newValueJson
  assert.deepEqual([first.not_enforced, second.not_enforced], [[message], undefined])
  const enrolled = await keeping.send('PATCH', `${settings}/ssl_recommender`, { enabled: true })
  assert.equal(enrolled.body.result.enabled, true)
  assert.deepEqual(
    (await keeping.send('GET', `${settings}/ssl_recommender`)).body.result,
    enrolled.body.result,
  )
})

test('a change of some members of an object keeps the others', async () => {
  const setting = `${api.zonePath}/settings/security_header`
  const hsts = { enabled: true, include_subdomains: true, max_age: 60, nosniff: true, preload: false }
  const first = await api.send('PATCH', setting, { value: { strict_transport_security: hsts } })
  assert.deepEqual(first.body.result.value, { strict_transport_security: hsts })
  const part = { strict_transport_security: { max_age: 300 } }
  const second = await api.send('PATCH', setting, { value: part })
  assert.deepEqual(second.body.result.value, { strict_transport_security: { ...hsts, max_age: 300 } })
  assert.deepEqual((await api.send('GET', setting)).body.result, second.body.result)
})

test('development mode counts the seconds until it ends by itself', async () => {
  const setting = `${api.zonePath}/settings/development_mode`
  assert.equal((await api.send('GET', setting)).body.result.time_remaining, 0)
  const { result } = (await api.send('PATCH', setting, { value: 'on' })).body
  assert.deepEqual([result.value, result.time_remaining], ['on', 3 * 3600])
  const zone = { originUrl: undefined } as unknown as Zone
  const stored = { value: 'on', modifiedOn: result.modified_on }
  const later = settingOf(
    zone,
    'development_mode',
    stored,
    Date.parse(result.modified_on) + 3 * 3600_000 + 5000,
  )
  assert.deepEqual([later.value, later.time_remaining], ['off', -5])
})

test('concurrent changes of two settings keep both', async () => {
  const at = (id: string) => `${api.zonePath}/settings/${id}`
  for (let turn = 0; turn < 10; turn++) {
    const [country, limit] = turn % 2 === 0 ? ['off', 'reject'] : ['on', 'process_partial']
    await Promise.all([
      api.send('PATCH', at('ip_geolocation'), { value: country }),
      api.send('PATCH', at('waf_body_limit_action'), { value: limit }),
    ])
    assert.equal((await api.send('GET', at('ip_geolocation'))).body.result.value, country)
    assert.equal((await api.send('GET', at('waf_body_limit_action'))).body.result.value, limit)
  }
})

test('URL normalization is read, set and reset', async () => {
  const zone_id = api.zoneId
  const byDefault = { type: 'cloudflare', scope: 'incoming' }
  assert.deepEqual(await client.urlNormalization.get({ zone_id }), byDefault)
  const set = await client.urlNormalization.update({ zone_id, type: 'rfc3986', scope: 'both' })
  assert.deepEqual(set, { type: 'rfc3986', scope: 'both' })
  assert.deepEqual(await client.urlNormalization.get({ zone_id }), set)
  await client.urlNormalization.delete({ zone_id })
  assert.deepEqual(await client.urlNormalization.get({ zone_id }), byDefault)
  const refused = await api.send('PUT', `${api.zonePath}/url_normalization`, { type: 'x', scope: 'both' })
  assert.equal(refused.status, 400)
  assert.equal(refused.body.errors[0].source.pointer, '/type')
})

test('managed transforms are listed and switched; two that exclude each other are refused', async () => {
  const zone_id = api.zoneId
  const none = await client.managedTransforms.list({ zone_id })
  const every = [...none.managed_request_headers, ...none.managed_response_headers]
  assert.ok(every.every(({ enabled, has_conflict }) => !enabled && !has_conflict))
  const changed = await client.managedTransforms.edit({
    zone_id,
    managed_request_headers: [{ id: 'add_true_client_ip_headers', enabled: true }],
    managed_response_headers: [{ id: 'remove_x-powered-by_header', enabled: true }],
  })
  const on = [...changed.managed_request_headers, ...changed.managed_response_headers]
    .filter(({ enabled }) => enabled)
    .map(({ id }) => id)
  assert.deepEqual(on, ['add_true_client_ip_headers', 'remove_x-powered-by_header'])
  assert.deepEqual(
    changed.managed_request_headers.find(({ id }) => id === 'remove_visitor_ip_headers'),
    {
      id: 'remove_visitor_ip_headers',
      enabled: false,
      has_conflict: true,
      conflicts_with: ['add_true_client_ip_headers'],
    },
  )
  const conflict = await api.send('PATCH', `${api.zonePath}/managed_headers`, {
    managed_request_headers: [{ id: 'remove_visitor_ip_headers', enabled: true }],
  })
  assert.equal(conflict.status, 400)
  assert.equal(conflict.body.errors[0].code, 10424)
  await client.managedTransforms.delete({ zone_id })
  assert.deepEqual(await client.managedTransforms.list({ zone_id }), none)
})

test('a managed transform with two spellings is one, under the name that was written last', async () => {
  const path = `${api.zonePath}/managed_headers`
  const named = async () =>
    (await api.send('GET', path)).body.result.managed_response_headers.map(
      ({ id, enabled }: { id: string; enabled: boolean }) => [id, enabled],
    )
  const others = ['add_security_headers', false]
  for (const [id, enabled] of [
    ['remove_x_powered_by_headers', true],
    ['remove_x-powered-by_header', false],
    ['remove_x-powered-by_header', true],
    ['remove_x_powered_by_headers', false],
  ]) {
    await api.send('PATCH', path, { managed_response_headers: [{ id, enabled }] })
    assert.deepEqual(await named(), [[id, enabled], others])
  }
  const newOn = { id: 'remove_x-powered-by_header', enabled: true }
  const oldOff = { id: 'remove_x_powered_by_headers', enabled: false }
  await api.send('PATCH', path, { managed_response_headers: [newOn, oldOff] })
  assert.deepEqual(await named(), [[newOn.id, true], others])
  await api.send('DELETE', path)
  assert.deepEqual(await named(), [[newOn.id, false], others])
})

test('a managed transform without effect can be off; on, it is refused, or kept with a message', async t => {
  const keeping = await openTestApi({ notEnforced: 'keep' })
  t.after(() => keeping.close())
  const id = 'add_bot_protection_headers'
  const set = (at: typeof api, enabled: boolean) =>
    at.send('PATCH', `${at.zonePath}/managed_headers`, { managed_request_headers: [{ id, enabled }] })
  const stateOf = ({ body }: Awaited<ReturnType<typeof set>>) =>
    body.result.managed_request_headers.find((one: { id: string }) => one.id === id)

  const off = await set(api, false)
  assert.deepEqual(stateOf(off), { id, enabled: false, has_conflict: false })
  assert.deepEqual(off.body.messages, [])
  const refused = await set(api, true)
  assert.equal(refused.status, 400)
  const [{ code, source, message }] = refused.body.errors
  assert.deepEqual([code, source.pointer], [10427, '/managed_request_headers/0/enabled'])
  assert.match(message, /no bot scores.*SLUICE_NOT_ENFORCED=keep/)

  const kept = await set(keeping, true)
  const note = `not enforced here: managed transform ${id}: Sluice has no bot scores for requests`
  assert.equal(kept.body.messages[0].message, note)
  assert.equal(stateOf(await keeping.send('GET', `${keeping.zonePath}/managed_headers`)).enabled, true)
  const trail = await keeping.send(
    'GET',
    `/accounts/${keeping.accountId}/audit_logs?direction=desc&per_page=1`,
  )
  assert.deepEqual(trail.body.result[0].newValueJson.not_enforced, [note])
})

test('changes of settings are in the audit trail', async () => {
  await api.send('PATCH', `${api.zonePath}/settings/ip_geolocation`, { value: 'off' })
  const trail = await api.send('GET', `/accounts/${api.accountId}/audit_logs?per_page=100`)
  const kinds = new Set(trail.body.result.map((one: { resource: { type: string } }) => one.resource.type))
  for (const kind of ['zone_setting', 'url_normalization', 'managed_headers'])
    assert.ok(kinds.has(kind), kind)
})
