import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConfigureEffect, PlanPhase, PlanRule, RouteEffect } from '../../rulesets/plan/plan.ts'
import {
  configuration,
  eventually,
  planFor,
  planPhase,
  RawClient,
  rule,
  startEdge,
  startOrigin,
} from '../testing/fixture.ts'
import { startTlsOrigin } from '../testing/tls-origin.ts'

const always = () => true

const get = (port: number) =>
  new RawClient(port).send('GET / HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n').end()

function route(parts: Partial<RouteEffect>, matches: PlanRule['matches'] = always): PlanRule {
  const nothing = { hostHeader: undefined, sni: undefined, host: undefined, port: undefined }
  return rule({ kind: 'route', ...nothing, ...parts }, matches)
}

function configure(parts: Partial<ConfigureEffect>, id = 'configures'): PlanRule {
  return rule(configuration(parts), always, id)
}

const routing = (...rules: readonly PlanRule[]): PlanPhase =>
  planPhase('http_request_origin', { zone: rules })
const settings = (...rules: readonly PlanRule[]): PlanPhase =>
  planPhase('http_config_settings', { zone: rules })

test('a route rule names another host, port and Host header; the last for each wins', async t => {
  const heard: string[] = []
  const named = (name: string) =>
    startOrigin(t, (request, response) => {
      heard.push(`${name} ${request.headers.host}`)
      response.end()
    })
  const zone = await named('zone')
  const other = await named('other')
  const port = Number(new URL(other.url).port)
  const rows: readonly [PlanRule[], string][] = [
    [[], 'zone site.test'],
    [[route({ hostHeader: 'inner.test' })], 'zone inner.test'],
    [[route({ port })], 'other site.test'],
    [[route({ host: 'localhost', port })], 'other site.test'],
    [
      [route({ host: '192.0.2.1', port: 1 }), route({ host: '127.0.0.1' }), route({ port })],
      'other site.test',
    ],
    [[route({ port }), route({ port: 1 }, () => false)], 'other site.test'],
  ]
  for (const [rules, want] of rows) {
    const { port: edge, records } = await startEdge(t, planFor(zone.url, { request: [routing(...rules)] }))
    assert.match(await get(edge), /^HTTP\/1\.1 200 /)
    assert.equal(heard.pop(), want)
    await eventually(() => records.length === 1)
    assert.equal(records[0]!['EdgeRequestHost'], want.split(' ')[1])
    assert.equal(records[0]!['ClientRequestHost'], 'site.test')
    assert.equal(records[0]!['OriginIP'], '127.0.0.1')
  }
})

test('a route to an unreachable origin is 502', async t => {
  const { url } = await startEdge(
    t,
    planFor('http://127.0.0.1:2', { request: [routing(route({ port: 1 }))] }),
  )
  assert.equal((await fetch(url)).status, 502)
})

test('failures at the host of a rule eject no server of the zone', async t => {
  const named = (name: string) => startOrigin(t, (_request, response) => response.end(name))
  const [a, b] = [await named('a'), await named('b')]
  const groupOf = (...urls: readonly string[]) => ({ servers: urls.map(url => ({ url, weight: 1 })) })
  let group = groupOf(a.url)
  const toNowhere = route({ host: '127.0.0.1', port: 1 }, ({ path }) => path === '/nowhere')
  const { url } = await startEdge(
    t,
    planFor(a.url, { origins: { of: () => group }, request: [routing(toNowhere)] }),
  )
  for (let n = 0; n < 3; n++) assert.equal((await fetch(`${url}/nowhere`)).status, 502)
  group = groupOf(a.url, b.url)
  const answers: string[] = []
  for (let n = 0; n < 4; n++) answers.push(await (await fetch(url)).text())
  assert.deepEqual(answers, ['a', 'b', 'a', 'b'])
})

test('a route leads to allowed addresses only', async t => {
  const other = await startOrigin(t, (_request, response) => response.end('other'))
  const { port } = new URL(other.url)
  const statusOf = async (host: string, origins: 'private' | 'public') => {
    const request = [routing(route({ host, port: Number(port) }))]
    const { url } = await startEdge(t, planFor(other.url, { request }), { origins })
    return (await fetch(url)).status
  }
  assert.equal(await statusOf('127.0.0.1', 'private'), 200)
  assert.equal(await statusOf('127.0.0.1', 'public'), 502)
  for (const host of ['169.254.169.254', '[::ffff:169.254.169.254]', '2852039166'])
    assert.equal(await statusOf(host, 'private'), 502, host)
})

test('certificates of origins are checked unless a rule says otherwise', async t => {
  const origin = await startTlsOrigin(t)
  const full = settings(configure({ verifiesOrigin: false }))
  const rows: readonly [PlanPhase[], number][] = [
    [[], 502],
    [[full], 200],
    [[settings(configure({ verifiesOrigin: false }), configure({ verifiesOrigin: true }))], 502],
    [[settings(configure({ underAttack: false }), configure({ verifiesOrigin: false }))], 200],
  ]
  for (const [request, status] of rows) {
    const { url } = await startEdge(t, planFor(origin.url, { request }))
    assert.equal((await fetch(url)).status, status)
  }
})

test('the check of certificates is decided for each request', async t => {
  const origin = await startTlsOrigin(t)
  const trusts = {
    ...configure({ verifiesOrigin: false }),
    matches: (view: { path: string }) => view.path === '/full',
  }
  const { url } = await startEdge(t, planFor(origin.url, { request: [settings(trusts)] }))
  for (const [path, status] of [
    ['full', 200],
    ['strict', 502],
    ['full', 200],
  ] as const)
    assert.equal((await fetch(`${url}/${path}`)).status, status)
})

test('the TLS server name comes from a rule, or from the Host header', async t => {
  const rows: readonly [PlanRule[], string, string][] = [
    [[], 'site.test', 'site.test'],
    [[route({ hostHeader: 'origin.test' })], 'origin.test', 'origin.test'],
    [[route({ sni: 'other.test' })], 'other.test', 'site.test'],
    [[route({ sni: 'other.test', hostHeader: 'origin.test' })], 'other.test', 'origin.test'],
  ]
  for (const [rules, name, host] of rows) {
    const origin = await startTlsOrigin(t)
    const request = [settings(configure({ verifiesOrigin: false })), routing(...rules)]
    const { port } = await startEdge(t, planFor(origin.url, { request }))
    assert.equal((await get(port)).split('\r\n\r\n')[1], host)
    assert.deepEqual(origin.names, [name])
  }
})
