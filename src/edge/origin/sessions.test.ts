import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import type { LoadBalancer, Pool, SessionAttributes } from '../../model/load-balancing.ts'
import { defaultZoneSettings, type ZoneSettings } from '../../model/zone-settings.ts'
import { zoneOrigins } from '../../rulesets/plan/host-origins.ts'
import type { EdgeDeps } from '../exchange/deps.ts'
import { planFor, startEdge, startOrigin, trusted } from '../testing/fixture.ts'
import { startHttp2Origin } from '../testing/tls-origin.ts'

type StartOrigin = (t: TestContext, listener: RequestListener) => Promise<{ readonly url: string }>

async function startHttp2(t: TestContext, listener: RequestListener): Promise<{ readonly url: string }> {
  const origin = await startHttp2Origin(t)
  origin.server.on('request', listener as never)
  return origin
}

/** The client behind a trusted proxy. */
interface Sent {
  readonly cookie?: string
  readonly client?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface Options {
  readonly by?: LoadBalancer['sessionAffinity']
  readonly attributes?: SessionAttributes
  readonly servers?: StartOrigin
  readonly pool?: Partial<Pool>
}

/** An edge with a pool of three servers, which answer with their names. */
async function start(
  t: TestContext,
  { by = 'cookie', attributes = {}, servers = startOrigin, pool }: Options,
) {
  const names = ['a', 'b', 'c']
  const broken = new Set<string>()
  const origins = await Promise.all(
    names.map(async name => {
      const { url } = await servers(t, (request, response) => {
        if (broken.has(name)) request.socket.destroy()
        else response.end(name)
      })
      return new URL(url)
    }),
  )
  const down = new Set<string>()
  let nowMs = Date.now()
  const deps: Partial<EdgeDeps> = {
    trustedProxies: trusted('127.0.0.1/32'),
    originHealth: { isDown: key => down.has(key) },
    clock: { nowMs: () => nowMs },
  }
  const poolOrigins = () =>
    origins.map(({ hostname, port }) => ({
      address: hostname,
      enabled: true,
      weight: 1,
      port: Number(port),
    }))
  let plan = planOf(pool)
  function planOf(change: Partial<Pool> = {}, hasOrigin = true) {
    const main = {
      id: 'main',
      enabled: true,
      minimumOrigins: 1,
      steering: 'random',
      monitor: 'm',
      origins: poolOrigins(),
      ...change,
    } as Pool
    const balancer = {
      id: 'balancer',
      name: '127.0.0.1',
      enabled: true,
      proxied: true,
      defaultPools: ['main'],
      fallbackPool: 'main',
      poolWeights: { byDefault: 1 },
      sessionAffinity: by,
      sessionAttributes: attributes,
    } as unknown as LoadBalancer
    const { zone } = planFor(hasOrigin ? origins[0]!.origin : undefined)
    const settings: ZoneSettings = {
      ...defaultZoneSettings,
      ssl: origins[0]!.protocol === 'https:' ? 'full' : 'off',
    }
    return planFor(zone.originUrl, {
      settings,
      origins: zoneOrigins({
        zone,
        settings,
        loadBalancers: [balancer],
        pools: [main],
      }),
    })
  }
  const { url } = await startEdge(t, plan, { ...deps, plans: { find: () => plan } })
  const ask = async ({ cookie, client = '198.51.100.1', headers = {} }: Sent = {}) => {
    const response = await fetch(url, {
      headers: {
        'x-forwarded-for': client,
        ...(cookie === undefined ? {} : { cookie: `other=1; ${cookie}` }),
        ...headers,
      },
    })
    const [set] = response.headers.getSetCookie()
    return { by: await response.text(), status: response.status, set, cookie: set?.split(';')[0] }
  }
  /** The servers of the next requests. */
  const several = async (sent: Sent, requests = 4) => {
    const answers: string[] = []
    for (let n = 0; n < requests; n++) answers.push((await ask(sent)).by)
    return answers.join('')
  }
  return {
    ask,
    several,
    broken,
    keyOf: (name: string) =>
      `main ${origins[names.indexOf(name)]!.hostname} ${origins[names.indexOf(name)]!.port}`,
    down,
    portOf: (name: string) => origins[names.indexOf(name)]!.port,
    pass: (seconds: number) => {
      nowMs += seconds * 1000
    },
    change: (changed: Partial<Pool>, hasOrigin?: boolean) => {
      plan = planOf(changed, hasOrigin)
    },
    poolOrigins,
    now: () => nowMs,
  }
}

for (const [version, servers] of [
  ['HTTP/1.1', startOrigin],
  ['HTTP/2', startHttp2],
] as const)
  test(`a cookie keeps the requests of a client at one server over ${version}`, async t => {
    const { ask, several, portOf } = await start(t, { servers })
    assert.notEqual(await several({}), 'aaaa', 'clients without a cookie take turns')
    const { by, set = '', cookie = '' } = await ask()
    assert.match(set, /^__cflb=\d{10}[0-9a-f]{88}; Path=\/; Max-Age=82800; HttpOnly; SameSite=Lax$/)
    assert.ok(!set.includes(portOf(by)) && !set.includes('127.0.0.1'))
    assert.equal(await several({ cookie }), by.repeat(4))
    assert.equal((await ask({ cookie })).set, undefined, 'the session keeps its cookie')
  })

test('only cookies of an edge count, until they expire', async t => {
  const { ask, several, pass } = await start(t, {})
  const [one, two] = [await ask(), await ask()]
  assert.notEqual(one.by, two.by)
  const parts = ({ cookie = '' }) => /^__cflb=(.{10})(.{24})(.{64})$/.exec(cookie)!.slice(1)
  const [expires, name, signature] = parts(one)
  for (const cookie of [
    `__cflb=${expires}${parts(two)[1]}${signature}`,
    `__cflb=${Number(expires) + 1}${name}${signature}`,
    '__cflb=x',
  ]) {
    assert.notEqual(await several({ cookie }), one.by.repeat(4), cookie)
    assert.match((await ask({ cookie })).set ?? '', /^__cflb=/)
  }
  pass(82_799)
  assert.equal(await several({ cookie: one.cookie! }), one.by.repeat(4))
  pass(1)
  assert.notEqual(await several({ cookie: one.cookie! }), one.by.repeat(4))
})

test('the sessions of a server that is down move, for good or until it is back', async t => {
  for (const failover of ['none', 'temporary', 'sticky'] as const) {
    const { ask, several, down, keyOf } = await start(t, { attributes: { failover } })
    const { by, cookie = '' } = await ask()
    down.add(keyOf(by))
    const moved = await ask({ cookie })
    assert.notEqual(moved.by, by)
    assert.equal(moved.set !== undefined, failover !== 'temporary', failover)
    down.clear()
    assert.equal(await several({ cookie }), by.repeat(4))
    if (moved.cookie !== undefined) assert.equal(await several({ cookie: moved.cookie }), moved.by.repeat(4))
  }
})

test('a request goes on to another server when the server of its session fails, unless there is no failover', async t => {
  for (const [failover, status, moves] of [
    [undefined, 502, false],
    ['temporary', 200, false],
    ['sticky', 200, true],
  ] as const) {
    const { ask, broken } = await start(t, { attributes: failover === undefined ? {} : { failover } })
    const { by, cookie = '' } = await ask()
    broken.add(by)
    const failed = await ask({ cookie })
    assert.deepEqual([failed.status, failed.set !== undefined], [status, moves], String(failover))
    broken.clear()
    assert.equal((await ask({ cookie })).by, by)
    // Three failures in a row eject the server, and its sessions move.
    broken.add(by)
    for (let n = 0; n < 3; n++) await ask({ cookie })
    assert.equal((await ask({ cookie })).status, 200)
  }
})

test('a disabled server keeps its sessions for the drain duration, and gets no new ones', async t => {
  const { ask, several, change, poolOrigins, portOf, pass, now } = await start(t, {
    attributes: { drainSeconds: 60 },
  })
  const { by, cookie = '' } = await ask()
  const disabledAt = new Date(now()).toISOString()
  const without = poolOrigins().map(origin =>
    String(origin.port) === portOf(by) ? { ...origin, enabled: false, disabledAt } : origin,
  )
  change({ origins: without as unknown as Pool['origins'] })
  assert.equal(await several({ cookie }), by.repeat(4))
  assert.ok(!(await several({}, 6)).includes(by))
  pass(60)
  const moved = await ask({ cookie })
  assert.notEqual(moved.by, by)
  assert.equal(await several({ cookie: moved.cookie! }), moved.by.repeat(4))
})

test('servers of a disabled pool keep their sessions, and new ones go to the zone’s origin or nowhere', async t => {
  const { ask, several, change, broken } = await start(t, { attributes: { drainSeconds: 60 } })
  const cookies = new Map<string, string>()
  while (cookies.size < 3) {
    const { by, cookie = '' } = await ask()
    cookies.set(by, cookie)
  }
  const disabled = { enabled: false, disabledAt: new Date().toISOString() }
  change(disabled)
  for (const [by, cookie] of cookies) assert.equal(await several({ cookie }, 2), by.repeat(2))
  assert.equal(await several({}), 'aaaa', 'the zone has the first one')
  change(disabled, false)
  for (const [by, cookie] of cookies) assert.equal(await several({ cookie }, 2), by.repeat(2))
  assert.equal((await ask()).status, 503)
  broken.add('b')
  assert.equal((await ask({ cookie: cookies.get('b')! })).status, 502)
})

const clients = Array.from({ length: 12 }, (_, n) => `198.51.100.${n}`)

test('the address of a client chooses the first server of its session, or of each request', async t => {
  const first = await start(t, { by: 'ip_cookie' })
  const hashed = await start(t, { by: 'none', pool: { steering: 'hash' } })
  const seen = new Set<string>()
  for (const client of clients) {
    const { by, set } = await first.ask({ client })
    assert.match(set ?? '', /^__cflb=/)
    assert.equal(await first.several({ client }, 2), by.repeat(2))
    seen.add(by)
    const other = await hashed.ask({ client })
    assert.equal(other.set, undefined)
    assert.equal(await hashed.several({ client }, 2), other.by.repeat(2))
  }
  assert.ok(seen.size > 1)
  const { cookie = '', by } = await first.ask({ client: clients[0]! })
  for (const client of clients)
    assert.equal((await first.ask({ client, cookie })).by, by, 'the cookie goes first')
})

test('the values of headers and cookies choose the server of a session', async t => {
  const { ask, several, down, keyOf } = await start(t, {
    by: 'header',
    attributes: { headers: ['X-User', 'cookie:sid'] },
  })
  const users = clients.map(user => ({ headers: { 'x-user': user } }))
  const servers = new Map<string, string>()
  for (const user of users) {
    const { by, set } = await ask(user)
    assert.equal(set, undefined)
    assert.equal(await several(user, 2), by.repeat(2))
    servers.set(user.headers['x-user'], by)
  }
  assert.ok(new Set(servers.values()).size > 1)
  const bySid = await ask({ cookie: 'sid=7' })
  assert.equal(await several({ cookie: 'sid=7' }), bySid.by.repeat(4))
  assert.notEqual(await several({}), bySid.by.repeat(4), 'without one of them there is no session')
  down.add(keyOf('a'))
  for (const user of users) {
    const before = servers.get(user.headers['x-user'])
    const { by } = await ask(user)
    if (before === 'a') assert.notEqual(by, 'a')
    else assert.equal(by, before)
  }
})

test('a session by header may need all headers', async t => {
  const { several } = await start(t, {
    by: 'header',
    attributes: { headers: ['X-User', 'X-Shop'], requiresAllHeaders: true },
  })
  const one = await several({ headers: { 'x-user': '1' } })
  assert.ok(new Set(one).size > 1)
  const both = await several({ headers: { 'x-user': '1', 'x-shop': '2' } })
  assert.equal(new Set(both).size, 1)
})
