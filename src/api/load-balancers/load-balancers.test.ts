import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import Cloudflare from 'cloudflare'
import { newId } from '../../kit/ids.ts'
import { type Method, openTestApi, type TestApi, token } from '../testing/test-api.ts'

let api: TestApi
let client: Cloudflare
let account_id: string
let zone_id: string
let base: string

before(async () => {
  api = await openTestApi()
  account_id = api.accountId
  zone_id = api.zoneId
  base = `/accounts/${account_id}/load_balancers`
  const baseURL = `${await api.app.listen({ host: '127.0.0.1', port: 0 })}/client/v4`
  client = new Cloudflare({ baseURL, maxRetries: 0, apiEmail: null, apiKey: null, apiToken: token })
})
after(() => api.close())

afterEach(async () => {
  for (const path of [`/zones/${zone_id}/load_balancers`, `${base}/pools`, `${base}/monitors`])
    for (const { id } of (await api.send('GET', path)).body.result)
      assert.equal((await api.send('DELETE', `${path}/${id}`)).status, 200)
})

async function refused(method: Method, path: string, body?: object) {
  const answer = await api.send(method, path, body)
  const [error] = answer.body.errors
  return [answer.status, error?.code, error?.source?.pointer]
}

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of pages) items.push(item)
  return items
}

const origins = [{ name: 'a', address: '192.0.2.10', port: 8080 }]
const aPool = async (name: string, change: object = {}) =>
  (await client.loadBalancers.pools.create({ account_id, name, origins, ...change })).id!

test('the SDK creates, reads, replaces, changes and deletes monitors', async () => {
  const { monitors } = client.loadBalancers
  const { created_on, modified_on, ...made } = await monitors.create({ account_id })
  assert.ok(created_on === modified_on && created_on !== undefined)
  assert.deepEqual(made, {
    id: made.id,
    type: 'http',
    description: '',
    method: 'GET',
    path: '/',
    interval: 60,
    timeout: 5,
    retries: 2,
    expected_codes: '',
    expected_body: '',
    follow_redirects: false,
    allow_insecure: false,
    probe_zone: '',
  })
  const wanted = {
    type: 'https',
    method: 'HEAD',
    path: '/health?deep=1',
    port: 8443,
    interval: 15,
    timeout: 3,
    consecutive_up: 2,
    consecutive_down: 3,
    expected_codes: '200,300-304,5xx',
    header: { Host: ['shop.example'], 'X-App': ['a', 'b'] },
  } as const
  const replaced = await monitors.update(made.id!, {
    account_id,
    ...wanted,
    header: { ...wanted.header } as never,
  })
  for (const [name, value] of Object.entries(wanted))
    assert.deepEqual(replaced[name as keyof typeof replaced], value)
  const edited = await monitors.edit(made.id!, { account_id, port: null, expected_body: 'ok' })
  assert.deepEqual([edited.port, edited.expected_body, edited.path], [undefined, 'ok', wanted.path])
  assert.deepEqual(await monitors.get(made.id!, { account_id }), edited)
  assert.deepEqual(await all(monitors.list({ account_id })), [edited])
  const tcp = await monitors.create({ account_id, type: 'tcp', port: 5432 })
  assert.equal(tcp.method, 'connection_established')
  assert.deepEqual(await monitors.delete(made.id!, { account_id }), { id: made.id })
  await assert.rejects(monitors.get(made.id!, { account_id }), Cloudflare.NotFoundError)
})

test('a monitor can be changed after the zone that it names was deleted', async () => {
  const zone = { name: 'probed.example', account: { id: account_id } }
  const { id: probed } = (await api.send('POST', '/zones', zone)).body.result
  const { monitors } = client.loadBalancers
  const { id, probe_zone } = await monitors.create({ account_id, probe_zone: 'Probed.Example' })
  assert.equal(probe_zone, 'probed.example')
  await api.send('DELETE', `/zones/${probed}`)
  const path = `${base}/monitors/${id}`
  assert.equal((await api.send('PATCH', path, { description: 'new' })).status, 200)
  assert.equal((await api.send('PATCH', path, { probe_zone: '' })).body.result.probe_zone, '')
  assert.deepEqual(await refused('PATCH', path, { probe_zone }), [400, 10423, '/probe_zone'])
})

test('neither the audit trail nor a refusal has the header values of a monitor', async () => {
  const header = (token: string) => ({
    Host: ['shop.example'],
    Authorization: [`Bearer ${token}`, 'hunter0'],
  })
  const made = await api.send('POST', `${base}/monitors`, { header: header('hunter1') })
  const path = `${base}/monitors/${made.body.result.id}`
  const newest = async () => {
    const { body } = await api.send('GET', `/accounts/${account_id}/audit_logs?per_page=1`)
    return body.result[0]
  }
  for (const [change, noted] of [
    [{ description: 'x' }, false],
    [{ header: header('hunter2') }, true],
    [{ header: { ...header('hunter2'), 'X-Key': ['hunter3'] } }, false],
  ] as const) {
    assert.equal((await api.send('PATCH', path, change)).status, 200)
    const { newValueJson: now } = await newest()
    assert.deepEqual(now.header.Host, ['shop.example'])
    assert.deepEqual(now.header.Authorization, ['***', '***'])
    assert.equal('header_changed' in now, noted, JSON.stringify(change))
  }
  await api.send('DELETE', path)
  const refusals = [['hunter4\n'], ['hunter5'.repeat(200)]].map(
    async values => (await api.send('POST', `${base}/monitors`, { header: { 'X-Key': values } })).body,
  )
  const stored = await api.store.audit.list(account_id, { offset: 0, limit: 1000 })
  assert.doesNotMatch(JSON.stringify([stored, await Promise.all(refusals)]), /hunter/)
})

test('the SDK creates, reads, replaces, changes and deletes pools', async () => {
  const { pools, monitors } = client.loadBalancers
  const { id: monitor } = await monitors.create({ account_id })
  const made = await pools.create({ account_id, name: 'main', origins })
  assert.deepEqual(made, {
    id: made.id,
    name: 'main',
    description: '',
    enabled: true,
    minimum_origins: 1,
    origins: [{ ...origins[0], enabled: true, weight: 1, flatten_cname: true }],
    origin_steering: { policy: 'random' },
    load_shedding: {
      default_percent: 0,
      default_policy: 'random',
      session_percent: 0,
      session_policy: 'hash',
    },
    notification_email: '',
    check_regions: null,
    created_on: made.created_on,
    modified_on: made.modified_on,
  })
  const two = [
    { name: 'b', address: 'Origin.Example', weight: 0.5, header: { Host: ['shop.example'] } },
    { name: 'c', address: '2001:DB8::1', enabled: false, port: 443 },
  ]
  const replaced = await pools.update(made.id!, {
    account_id,
    name: 'other',
    origins: two,
    monitor: monitor!,
    minimum_origins: 2,
    latitude: 12.3,
    load_shedding: { default_percent: 55 },
    check_regions: ['WEU'],
    health_sources: ['regional', 'global'],
  })
  assert.deepEqual(
    replaced.origins?.map(({ address, header, weight }) => [address, header?.Host, weight]),
    [
      ['origin.example', ['shop.example'], 0.5],
      ['2001:db8::1', undefined, 1],
    ],
  )
  assert.deepEqual(
    [replaced.latitude, replaced.load_shedding?.default_percent, replaced.load_shedding?.session_policy],
    [12.3, 55, 'hash'],
  )
  const sources = (pool: object) => (pool as { health_sources?: unknown }).health_sources
  assert.deepEqual([sources(replaced), replaced.check_regions], [['regional', 'global'], ['WEU']])
  const edited = await pools.edit(made.id!, { account_id, enabled: false, health_sources: null })
  assert.deepEqual([edited.enabled, edited.name, edited.monitor], [false, 'other', monitor])
  assert.deepEqual([edited.disabled_at, edited.origins?.[0]?.disabled_at], [edited.modified_on, undefined])
  assert.equal(edited.origins?.[1]?.disabled_at, replaced.modified_on, 'it has been disabled before')
  assert.equal(sources(edited), undefined)
  assert.deepEqual(await all(pools.list({ account_id, monitor: monitor! })), [edited])
  assert.deepEqual(await all(pools.list({ account_id, monitor: newId() })), [])
  assert.deepEqual(await pools.delete(made.id!, { account_id }), { id: made.id })
})

test('the SDK creates, reads, replaces, changes and deletes load balancers', async () => {
  const [one, two] = [await aPool('one'), await aPool('two')]
  const wanted = { zone_id, name: 'www.shop.example', default_pools: [one], fallback_pool: two }
  const made = await client.loadBalancers.create(wanted)
  assert.deepEqual(made, {
    id: made.id,
    name: 'www.shop.example',
    description: '',
    enabled: true,
    proxied: false,
    default_pools: [one],
    fallback_pool: two,
    steering_policy: '',
    random_steering: { default_weight: 1 },
    adaptive_routing: { failover_across_pools: false },
    session_affinity: 'none',
    zone_name: 'shop.example',
    created_on: made.created_on,
    modified_on: made.modified_on,
  })
  const replaced = await client.loadBalancers.update(made.id!, {
    ...wanted,
    default_pools: [two, one],
    proxied: true,
    steering_policy: 'random',
    random_steering: { default_weight: 0.2, pool_weights: { [one]: 0.9 } as never },
    adaptive_routing: { failover_across_pools: true },
    ttl: 30,
    session_affinity: 'cookie',
    session_affinity_ttl: 1800,
    session_affinity_attributes: { secure: 'Always', zero_downtime_failover: 'sticky' },
  })
  assert.deepEqual(replaced.random_steering, { default_weight: 0.2, pool_weights: { [one]: 0.9 } })
  const edited = await client.loadBalancers.edit(made.id!, { zone_id, enabled: false })
  assert.deepEqual(
    [edited.enabled, edited.default_pools, edited.ttl, edited.adaptive_routing],
    [false, [two, one], 30, { failover_across_pools: true }],
  )
  assert.deepEqual(
    [edited.session_affinity, edited.session_affinity_ttl, edited.session_affinity_attributes],
    ['cookie', 1800, { secure: 'Always', zero_downtime_failover: 'sticky' }],
  )
  assert.deepEqual(await all(client.loadBalancers.list({ zone_id })), [edited])
  assert.deepEqual(await client.loadBalancers.delete(made.id!, { zone_id }), { id: made.id })
})

test('a session_affinity_ttl of 0 stands for the default', async () => {
  const pool = await aPool('main')
  const wanted = { zone_id, name: 'www.shop.example', default_pools: [pool], fallback_pool: pool }
  const made = await client.loadBalancers.create({ ...wanted, session_affinity_ttl: 0 })
  const edited = await client.loadBalancers.edit(made.id!, { zone_id, session_affinity: 'ip_cookie' })
  assert.deepEqual([edited.session_affinity, edited.session_affinity_ttl], ['ip_cookie', undefined])
})

test('rules of a load balancer are returned as they were sent, and keep their pools from deletion', async () => {
  const [one, two] = [await aPool('one'), await aPool('two')]
  const rules = [
    {
      name: 'api',
      condition: 'starts_with(http.request.uri.path, "/api/")',
      priority: 3,
      terminates: true,
      overrides: {
        default_pools: [two],
        steering_policy: 'random',
        random_steering: { default_weight: 0.5 },
        session_affinity: 'cookie',
        ttl: 30,
      },
    },
    { disabled: true, fixed_response: { status_code: 410, content_type: 'text/html', message_body: 'gone' } },
  ] as const
  const wanted = { zone_id, name: 'www.shop.example', default_pools: [one], fallback_pool: one, rules }
  const { id } = await client.loadBalancers.create(wanted as never)
  assert.deepEqual((await client.loadBalancers.get(id!, { zone_id })).rules, rules)
  assert.deepEqual(await refused('DELETE', `${base}/pools/${two}`), [412, 10342, undefined])
  const { rules: none } = await client.loadBalancers.edit(id!, { zone_id, rules: [] })
  assert.equal(none, undefined)
})

test('pools and monitors in use cannot be deleted, and their users are listed', async () => {
  const { id: monitor } = await client.loadBalancers.monitors.create({ account_id, description: 'ping' })
  const pool = await aPool('main', { monitor })
  const wanted = { zone_id, name: 'shop.example', default_pools: [pool], fallback_pool: pool }
  const { id } = await client.loadBalancers.create(wanted)
  assert.deepEqual(await refused('DELETE', `${base}/monitors/${monitor}`), [412, 10342, undefined])
  assert.deepEqual(await refused('DELETE', `${base}/pools/${pool}`), [412, 10342, undefined])
  const ofPool = await all(client.loadBalancers.pools.references.get(pool, { account_id }))
  assert.deepEqual(
    ofPool.map(one => Object.values(one)),
    [
      ['referrer', id, 'shop.example', 'load_balancer'],
      ['referral', monitor, 'ping', 'monitor'],
    ],
  )
  const ofMonitor = await all(client.loadBalancers.monitors.references.get(monitor!, { account_id }))
  assert.deepEqual(
    ofMonitor.map(one => Object.values(one)),
    [['referrer', pool, 'main', 'pool']],
  )
})

test('the health of a pool is what the machines found last; one that finds an origin down counts', async () => {
  const two = [...origins, { name: 'b', address: 'b.test' }]
  const pool = await aPool('main', { origins: two, minimum_origins: 2 })
  const health = async () => (await client.loadBalancers.pools.health.get(pool, { account_id })).pop_health
  assert.deepEqual(await health(), { healthy: true, origins: [] })
  const up = { address: 'b.test', port: 0, healthy: true, failureReason: '', responseCode: 200, rttMs: 12.12 }
  const down = { ...up, healthy: false, failureReason: 'it answers with status 503', responseCode: 503 }
  await api.store.loadBalancing.reportHealth('one', new Map([[pool, [up]]]), 60_000)
  const ofUp = { healthy: true, failure_reason: 'No failures', response_code: 200, rtt: '12.1ms' }
  assert.deepEqual(await health(), { healthy: true, origins: [{ 'b.test': ofUp }] })
  await api.store.loadBalancing.reportHealth('two', new Map([[pool, [down]]]), 60_000)
  const ofDown = { ...ofUp, healthy: false, failure_reason: down.failureReason, response_code: 503 }
  assert.deepEqual(await health(), { healthy: false, origins: [{ 'b.test': ofDown }] })
})

test('bad values are refused with their pointer, and change nothing', async () => {
  const pool = await aPool('main')
  const unknown = newId()
  const ofOrigin = (change: object) => ({ name: 'x', origins: [{ address: '192.0.2.1', ...change }] })
  const balanced = (change: object) => ({
    name: 'x.shop.example',
    default_pools: [pool],
    fallback_pool: pool,
    ...change,
  })
  const longName = { ['x'.repeat(33)]: 1 }
  const headers = (name: string, change: object = {}) => ({
    session_affinity_attributes: { headers: [name], ...change },
  })
  type Row = [path: 'monitors' | 'pools' | 'zone', body: object, code: number, pointer: string]
  const rows: Row[] = [
    ['monitors', { type: 'smtp' }, 10343, '/type'],
    ['monitors', { type: 'tcp' }, 10423, '/port'],
    ['monitors', { method: 'GET /' }, 10423, '/method'],
    ['monitors', { path: 'health' }, 10423, '/path'],
    ['monitors', { path: '/a b' }, 10423, '/path'],
    ['monitors', { interval: 4 }, 10423, '/interval'],
    ['monitors', { interval: 5, timeout: 5 }, 10423, '/timeout'],
    ['monitors', { expected_codes: '2xx;3xx' }, 10423, '/expected_codes'],
    ['monitors', { header: { 'User-Agent': ['x'] } }, 10423, '/header/User-Agent'],
    ['monitors', { header: { 'X-A': ['a\nb'] } }, 10423, '/header/X-A'],
    ['monitors', { header: { ['x'.repeat(101)]: ['a'] } }, 10423, '/header'],
    ['monitors', { header: { 'a\nb': 5 } }, 10420, '/header/a\nb'],
    ['monitors', { header: { Host: ['a', 'b'] } }, 10423, '/header/Host'],
    ['monitors', { header: { 'a/b~': ['x'] } }, 10423, '/header/a~1b~0'],
    ['monitors', { probe_zone: 'other.example' }, 10423, '/probe_zone'],
    ['monitors', { unknown: 1 }, 10420, '/unknown'],
    ['pools', { name: 'x' }, 10421, '/origins'],
    ['pools', { name: 'a b', origins }, 10423, '/name'],
    ['pools', { name: 'main', origins }, 10341, '/name'],
    ['pools', { name: 'x', origins: [] }, 10423, '/origins'],
    ['pools', ofOrigin({ address: 'a b' }), 10423, '/origins/0/address'],
    ['pools', ofOrigin({ address: '1.2' }), 10423, '/origins/0/address'],
    ['pools', ofOrigin({ address: '127.0.0.1', port: 8080 }), 10423, '/origins/0/address'],
    ['pools', ofOrigin({ address: '169.254.169.254' }), 10423, '/origins/0/address'],
    ['pools', ofOrigin({ weight: 2 }), 10423, '/origins/0/weight'],
    ['pools', ofOrigin({ header: { Host: ['a b'] } }), 10423, '/origins/0/header/Host/0'],
    ['pools', ofOrigin({ virtual_network_id: 'x' }), 10343, '/origins/0/virtual_network_id'],
    ['pools', { name: 'x', origins: [...origins, ...origins] }, 10423, '/origins/1/address'],
    ['pools', { name: 'x', origins, monitor: unknown }, 10423, '/monitor'],
    ['pools', { name: 'x', origins, monitor_group: 'x' }, 10343, '/monitor_group'],
    ['zone', balanced({ name: 'x' }), 10423, '/name'],
    ['zone', balanced({ name: 'x.other.example' }), 10423, '/name'],
    ['zone', balanced({ default_pools: [] }), 10423, '/default_pools'],
    ['zone', balanced({ default_pools: [pool, unknown] }), 10423, '/default_pools/1'],
    ['zone', balanced({ default_pools: [pool, pool] }), 10423, '/default_pools/1'],
    ['zone', balanced({ fallback_pool: unknown }), 10423, '/fallback_pool'],
    ['zone', balanced({ steering_policy: 'geo' }), 10343, '/steering_policy'],
    [
      'zone',
      balanced({ random_steering: { pool_weights: longName } }),
      10423,
      '/random_steering/pool_weights',
    ],
    ['zone', balanced({ session_affinity: 'x' }), 10423, '/session_affinity'],
    ...[
      [{ session_affinity: 'cookie', session_affinity_ttl: 1799 }, 'ttl'],
      [{ session_affinity: 'header', ...headers('X-User'), session_affinity_ttl: 3601 }, 'ttl'],
      [{ session_affinity: 'header' }, 'attributes/headers'],
      [{ session_affinity: 'header', ...headers('a b') }, 'attributes/headers/0'],
      [{ session_affinity: 'header', ...headers('cookie:') }, 'attributes/headers/0'],
      [
        { session_affinity: 'header', ...headers('X-User', { zero_downtime_failover: 'sticky' }) },
        'attributes/zero_downtime_failover',
      ],
      [{ session_affinity_attributes: { samesite: 'None', secure: 'Never' } }, 'attributes/secure'],
    ].map(
      ([change, member]) =>
        ['zone', balanced(change as object), 10423, `/session_affinity_${member}`] satisfies Row,
    ),
    ...[
      [{ condition: 'http.request.uri.path =' }, 20205, 'condition'],
      [{ condition: 'http.request.body.raw eq "x"' }, 20205, 'condition'],
      [{ condition: 'ip.src in $list' }, 20205, 'condition'],
      [{ overrides: { default_pools: [unknown] } }, 10423, 'overrides/default_pools/0'],
      [{ overrides: { region_pools: { WEU: [pool] } } }, 10343, 'overrides/region_pools'],
      [{ overrides: { steering_policy: 'geo' } }, 10343, 'overrides/steering_policy'],
      [{ fixed_response: { status_code: 100 } }, 10423, 'fixed_response/status_code'],
      [{ fixed_response: { location: 'a\nb' } }, 10423, 'fixed_response/location'],
      [{ fixed_response: {}, overrides: { fallback_pool: pool } }, 10423, 'overrides'],
    ].map(
      ([rule, code, member]) =>
        ['zone', balanced({ rules: [{}, rule] }), code as number, `/rules/1/${member}`] satisfies Row,
    ),
    ['zone', balanced({ country_pools: { DE: [pool] } }), 10343, '/country_pools'],
  ]
  for (const [at, body, code, pointer] of rows) {
    const path = at === 'zone' ? `/zones/${zone_id}/load_balancers` : `${base}/${at}`
    assert.deepEqual(await refused('POST', path, body), [400, code, pointer], JSON.stringify(body))
  }
  const { monitors, pools, loadBalancers } = await api.store.loadBalancing.read(account_id)
  assert.deepEqual([monitors.length, pools.length, loadBalancers.length], [0, 1, 0])
  assert.deepEqual(await refused('PATCH', `${base}/pools/${pool}`, { minimum_origins: -1 }), [
    400,
    10423,
    '/minimum_origins',
  ])
  assert.deepEqual(await refused('GET', `${base}/pools/${unknown}`), [404, 10340, undefined])
  assert.deepEqual(await refused('GET', `${base}/pools/x`), [404, 7003, undefined])
})
