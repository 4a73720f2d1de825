import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Lockdown, UserAgentRule } from '../../model/zone-firewall.ts'
import type { ZoneSettings } from '../../model/zone-settings.ts'
import type { SkipEffect } from '../../rulesets/plan/plan.ts'
import { aLockdown, aUserAgentRule } from '../../store/testing/data.ts'
import { planFor, RawClient, rule, startEdge, startOrigin, trusted, zoneId } from '../testing/fixture.ts'

interface Rules {
  readonly lockdowns?: readonly Partial<Lockdown>[]
  readonly userAgentRules?: readonly Partial<UserAgentRule>[]
  readonly settings?: Partial<ZoneSettings>
}

async function edgeWith(t: TestContext, { lockdowns = [], userAgentRules = [], settings = {} }: Rules) {
  const origin = await startOrigin(t, (_request, response) => response.end('origin'))
  const skip = (product: 'uaBlock' | 'zoneLockdown'): SkipEffect => ({
    kind: 'skip',
    current: undefined,
    phases: new Set(),
    rulesets: new Set(),
    products: new Set([product]),
    excepts: false,
    logs: false,
  })
  const custom = [
    rule(skip('zoneLockdown'), view => view.query === 'skip=lockdown'),
    rule(skip('uaBlock'), view => view.query === 'skip=ua'),
  ]
  const firewall = {
    lockdowns: lockdowns.map(parts => aLockdown(zoneId, parts)),
    userAgentRules: userAgentRules.map(parts => aUserAgentRule(zoneId, parts)),
  }
  const edge = await startEdge(t, planFor(origin.url, { custom, firewall, settings }), {
    trustedProxies: trusted('127.0.0.1/32'),
  })
  const ask = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const all = { Host: 'site.test', 'X-Forwarded-For': '198.51.100.1', Connection: 'close', ...headers }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    const text = await new RawClient(edge.port).send(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`).end()
    return { status: Number(text.slice(9, 12)), text }
  }
  return { edge, ask }
}

const staff = [
  { target: 'ip', value: '2001:db8::1' },
  { target: 'ip_range', value: '192.0.2.0/24' },
] as const

test('a lockdown lets only its addresses reach its URLs', async t => {
  const urls = ['site.test/admin*', 'http://*.site.test/', 'site.test/a*b']
  const lockdowns = [{ id: 'lock', description: 'staff', urls, configurations: staff }]
  const { edge, ask } = await edgeWith(t, { lockdowns })
  const rows: [path: string, ip: string, status: number, host?: string][] = [
    ['/', '198.51.100.1', 200],
    ['/admin', '192.0.2.7', 200],
    ['/admin', '2001:db8::1', 200],
    ['/admin', '198.51.100.1', 403],
    ['/ADMIN/x?y', '198.51.100.1', 403],
    ['/%61dmin', '198.51.100.1', 403],
    ['/x/../admin', '198.51.100.1', 403],
    ['/x%2f..%2Fadmin', '198.51.100.1', 403],
    ['/%2fadmin', '198.51.100.1', 403],
    ['/x%2f..%2Fadmin', '192.0.2.7', 200],
    ['/axxb', '198.51.100.1', 403],
    ['/axxbc', '198.51.100.1', 200],
    ['/', '198.51.100.1', 403, 'www.site.test:8080'],
    ['/x', '198.51.100.1', 200, 'www.site.test'],
  ]
  for (const [path, ip, status, host = 'site.test'] of rows)
    assert.equal(
      (await ask(path, { Host: host, 'X-Forwarded-For': ip })).status,
      status,
      `${host}${path} ${ip}`,
    )
  const { text } = await ask('/admin')
  assert.match(text, /Only some addresses may open this part of the site/)
  const record = edge.records.at(-1)!
  assert.deepEqual(
    [
      record['SecurityAction'],
      record['SecurityRuleID'],
      record['SecurityRuleDescription'],
      record['SecuritySources'],
    ],
    ['block', 'lock', 'staff', ['zoneLockdown']],
  )
  const event = edge.events.at(-1)!
  assert.deepEqual([event['Action'], event['Source'], event['RuleID']], ['block', 'zonelockdown', 'lock'])
  assert.equal((await ask('/admin?skip=lockdown')).status, 200, 'a custom rule can skip lockdowns')
})

test('a lockdown covers escaped URLs in a zone that does not normalize', async t => {
  const { ask } = await edgeWith(t, {
    lockdowns: [{ urls: ['site.test/admin*'], configurations: staff }],
    settings: { urlNormalization: { type: 'cloudflare', scope: 'none' } },
  })
  for (const path of ['/%61dmin', '//admin', '/x/../admin']) assert.equal((await ask(path)).status, 403, path)
  assert.equal((await ask('/x')).status, 200)
})

test('of several lockdowns for a URL, the one with the lowest priority decides, and paused ones never do', async t => {
  const outsiders = [{ target: 'ip', value: '203.0.113.1' }] as const
  const everyone = [{ target: 'ip_range', value: '0.0.0.0/0' }] as const
  const { ask } = await edgeWith(t, {
    lockdowns: [
      { urls: ['site.test/*'], configurations: outsiders },
      { urls: ['site.test/open/*'], configurations: everyone, priority: 2 },
      { urls: ['site.test/open/not/*'], configurations: outsiders, priority: 1 },
      { urls: ['site.test/open/*'], configurations: outsiders, priority: 0, paused: true },
    ],
  })
  const statuses = ['/', '/open/x', '/open/not/x'].map(async path => (await ask(path)).status)
  assert.deepEqual(await Promise.all(statuses), [403, 200, 403])
})

test('a user agent rule acts on exactly its User-Agent, unless a lockdown lets the client in', async t => {
  const { edge, ask } = await edgeWith(t, {
    lockdowns: [{ urls: ['site.test/admin*'], configurations: [{ target: 'ip', value: '198.51.100.1' }] }],
    userAgentRules: [
      { id: 'bot', userAgent: 'BadBot/1.0', description: 'scraper' },
      { id: 'slow', userAgent: 'Slow', mode: 'managed_challenge' },
      { userAgent: 'Paused', paused: true },
    ],
  })
  const rows: [userAgent: string, path: string, status: number][] = [
    ['BadBot/1.0', '/', 403],
    ['BadBot/1.0 ', '/', 403],
    ['BadBot/1.0.1', '/', 200],
    ['badbot/1.0', '/', 200],
    ['Paused', '/', 200],
    ['BadBot/1.0', '/admin', 200],
    ['BadBot/1.0', '/admin%2f..%2fx', 403],
    ['BadBot/1.0', '/?skip=ua', 200],
    ['Slow', '/', 403],
  ]
  for (const [userAgent, path, status] of rows)
    assert.equal((await ask(path, { 'User-Agent': userAgent })).status, status, `${userAgent} ${path}`)
  const actions = edge.events.map(({ Action, Source, RuleID, Description = '' }) => [
    Action,
    Source,
    RuleID,
    Description,
  ])
  assert.deepEqual(actions, [
    ['block', 'uablock', 'bot', 'scraper'],
    ['block', 'uablock', 'bot', 'scraper'],
    ['block', 'uablock', 'bot', 'scraper'],
    ['managedchallenge', 'uablock', 'slow', ''],
  ])
})
