import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LoadBalancer, LoadBalancerRule, Pool } from '../../model/load-balancing.ts'
import { zoneOrigins } from '../../rulesets/plan/host-origins.ts'
import { planFor, startEdge, startOrigin } from '../testing/fixture.ts'

const named = {
  fixed: {
    condition: 'http.request.uri.path eq "/moved"',
    fixedResponse: { statusCode: 302, location: 'https://other.test/', messageBody: 'moved' },
  },
  api: {
    condition: 'starts_with(http.request.uri.path, "/api/")',
    overrides: { defaultPools: ['b'], fallbackPool: 'b' },
  },
  everything: { overrides: { defaultPools: ['c'], fallbackPool: 'c' } },
  sticky: {
    condition: 'http.request.method eq "POST"',
    overrides: { sessionAffinity: 'cookie' },
  },
} satisfies Readonly<Record<string, LoadBalancerRule>>

test('the rules of a load balancer lead requests to other pools, or answer them', async t => {
  const urls = new Map<string, URL>()
  for (const name of ['a', 'b', 'c']) {
    const { url } = await startOrigin(t, (_request, response) => response.end(name))
    urls.set(name, new URL(url))
  }
  const pools = [...urls].map(
    ([id, { hostname, port }]) =>
      ({
        id,
        enabled: true,
        minimumOrigins: 1,
        steering: 'random',
        origins: [{ address: hostname, enabled: true, weight: 1, port: Number(port) }],
      }) as unknown as Pool,
  )
  let plan = planFor(urls.get('a')!.origin)
  const { url, edge, records } = await startEdge(t, plan, { plans: { find: () => plan } })
  const use = (...rules: LoadBalancerRule[]) => {
    const balancer = {
      id: 'balancer',
      name: '127.0.0.1',
      enabled: true,
      proxied: true,
      defaultPools: ['a'],
      fallbackPool: 'a',
      poolWeights: { byDefault: 1 },
      rules,
    } as unknown as LoadBalancer
    const { zone } = plan
    plan = planFor(zone.originUrl, { origins: zoneOrigins({ zone, loadBalancers: [balancer], pools }) })
  }
  const ask = async (path: string, method = 'GET') => {
    const response = await fetch(url + path, { method, redirect: 'manual' })
    return { response, body: await response.text() }
  }
  const bodies = async (...paths: string[]) => {
    const found: string[] = []
    for (const path of paths) found.push((await ask(path)).body)
    return found.join('')
  }

  use(named.fixed, named.api)
  assert.equal(await bodies('/', '/api/x', '/api'), 'aba')
  const { response, body } = await ask('/moved')
  assert.deepEqual(
    [response.status, response.headers.get('location'), response.headers.get('content-type'), body],
    [302, 'https://other.test/', 'text/plain', 'moved'],
  )
  assert.equal(records.at(-1)?.['EdgeResponseStatus'], 302)

  use(named.everything, named.api)
  assert.equal(await bodies('/', '/api/x'), 'cb', 'later overrides count')
  use({ ...named.everything, terminates: true }, named.api)
  assert.equal(await bodies('/', '/api/x'), 'cc')
  use({ ...named.everything, priority: 2 }, { ...named.api, priority: 1 })
  assert.equal(await bodies('/', '/api/x'), 'cc', 'by priority')
  use({ ...named.everything, disabled: true }, named.api)
  assert.equal(await bodies('/', '/api/x'), 'ab')

  use(named.api, named.sticky)
  const posted = await ask('/api/x', 'POST')
  assert.deepEqual([posted.body, posted.response.headers.getSetCookie().length], ['b', 1])
  assert.equal((await ask('/api/x')).response.headers.getSetCookie().length, 0)

  const traced = await edge.trace({
    accountId: plan.zone.accountId,
    method: 'GET',
    target: '/api/x',
    protocol: 'HTTP/1.1',
    scheme: 'http',
    port: 80,
    headers: [['Host', '127.0.0.1']],
    body: new Uint8Array(0),
    clientIp: '127.0.0.1',
    location: {},
    cleared: false,
  })
  assert.ok(traced.ok)
  assert.equal(traced.trace.outcome.origin, urls.get('b')!.origin)
})
