import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WorkExceededError } from '../../expressions/index.ts'
import type { RequestView } from '../../rulesets/fields/request-view.ts'
import type { RedirectList, TextOf } from '../../rulesets/plan/plan.ts'
import {
  eventually,
  planFor,
  planPhase,
  RawClient,
  rule,
  startEdge,
  startOrigin,
} from '../testing/fixture.ts'
import { locationOf } from './redirect.ts'

const rows: readonly { target: string | undefined; query?: string; want: string | undefined }[] = [
  { target: 'https://a.test/x', want: 'https://a.test/x' },
  { target: 'HTTP://a.test', want: 'HTTP://a.test' },
  { target: '/x?y#z', want: '/x?y#z' },
  { target: undefined, want: undefined },
  { target: '', want: undefined },
  { target: '  ', want: undefined },
  { target: ' /x ', want: '/x' },
  { target: '/a b\r\nSet-Cookie: c=1', want: '/a%20b%0d%0aSet-Cookie:%20c=1' },
  { target: '/caf\xc3\xa9', want: '/caf%c3%a9' },
  { target: '/voil\xc3\xa0', want: '/voil%c3%a0' },
  { target: '//evil.test/', want: undefined },
  { target: '/\\evil.test/', want: undefined },
  { target: 'javascript:alert(1)', want: undefined },
  { target: 'x', want: undefined },
  { target: 'https://', want: undefined },
  { target: 'https:///x', want: undefined },
  { target: `/${'a'.repeat(99)}`, want: `/${'a'.repeat(99)}` },
  { target: '/x', query: 'a=1&b', want: '/x?a=1&b' },
  { target: '/x#z', query: 'a', want: '/x?a#z' },
  { target: '/x?own', query: 'a', want: '/x?own' },
  { target: '/x', query: 'a\xff', want: '/x?a%ff' },
  { target: '/x', query: '', want: '/x' },
]
for (const { target, query, want } of rows) {
  test(`location of ${JSON.stringify(target)} with ${JSON.stringify(query)}`, () => {
    const effect = {
      kind: 'redirect',
      status: 301,
      target: () => target,
      preserveQuery: query !== undefined,
    } as const
    assert.equal(locationOf(effect, { query: query ?? 'not' } as RequestView, 100), want)
  })
}

test('a location that is too long is an error', () => {
  for (const [target, query] of [
    [`/${'a'.repeat(100)}`, ''],
    ['/x', 'a'.repeat(98)],
  ] as const) {
    const effect = { kind: 'redirect', status: 301, target: () => target, preserveQuery: true } as const
    assert.throws(() => locationOf(effect, { query } as RequestView, 100), WorkExceededError)
  }
})

test('a redirect ends the request before any other rule; upgrades are redirected as well', async t => {
  const never = rule({ kind: 'action', action: 'block' }, () => assert.fail('evaluated after the end'))
  const away = rule(
    { kind: 'redirect', status: 307, target: view => `https://new.test${view.path}`, preserveQuery: true },
    view => view.path !== '/here',
  )
  const origin = await startOrigin(t, (_request, response) => response.end('here'))
  const request = [
    planPhase('http_request_dynamic_redirect', {
      account: [away],
      zone: [{ ...never, matches: view => view.path !== '/here' && assert.fail() }],
    }),
    planPhase('http_request_firewall_custom', {
      zone: [{ ...never, matches: view => view.path !== '/here' && assert.fail() }],
    }),
  ]
  const { url, port, records, edge } = await startEdge(t, planFor(origin.url, { request }))
  const answer = await fetch(`${url}/a?b=1`, {
    redirect: 'manual',
    method: 'POST',
    body: 'x'.repeat(100_000),
  })
  assert.equal(answer.status, 307)
  assert.equal(answer.headers.get('location'), 'https://new.test/a?b=1')
  assert.equal(await answer.text(), '')
  assert.equal(await (await fetch(`${url}/here`)).text(), 'here')
  const socket = new RawClient(port).send(
    'GET /ws HTTP/1.1\r\nHost: site.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  )
  assert.match(await socket.end(), /^HTTP\/1\.1 307 [\s\S]*Location: https:\/\/new\.test\/ws\r\n/)
  await eventually(() => records.length === 3)
  assert.deepEqual(records.map(record => record['EdgeResponseStatus']).sort(), [200, 307, 307])
  for (const record of records)
    assert.deepEqual([record['SecurityAction'], record['SecurityActions']], ['', []])
  assert.equal(edge.stats().blocked, 0)
})

test('a listed redirect is recorded as one, and keeps the query when it says so', async t => {
  const list: RedirectList = {
    find: url =>
      url.includes('/gone')
        ? { status: 308, target: 'https://new.test/caf\xc3\xa9', preserveQuery: url.includes('keep') }
        : undefined,
  }
  const key: TextOf = view =>
    view.path === '/no-key' ? undefined : `${view.scheme}://${view.host}${view.uri}`
  const origin = await startOrigin(t, (_request, response) => response.end('here'))
  const request = [
    planPhase('http_request_redirect', { account: [rule({ kind: 'redirect-from-list', key, list })] }),
  ]
  const { url, records } = await startEdge(t, planFor(origin.url, { request }))
  const locations = []
  for (const path of ['/gone?drop=1', '/gone?keep=1', '/no-key', '/other'])
    locations.push((await fetch(url + path, { redirect: 'manual' })).headers.get('location'))
  assert.deepEqual(locations, ['https://new.test/caf%c3%a9', 'https://new.test/caf%c3%a9?keep=1', null, null])
  await eventually(() => records.length === 4)
  const shown = records.map(({ EdgeResponseStatus, OriginResponseStatus, SecurityAction }) => [
    EdgeResponseStatus,
    OriginResponseStatus,
    SecurityAction,
  ])
  assert.deepEqual(shown, [
    [308, 0, ''],
    [308, 0, ''],
    [200, 200, ''],
    [200, 200, ''],
  ])
})

test('a redirect without a target has no effect', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end('here'))
  const nowhere = rule({ kind: 'redirect', status: 301, target: () => undefined, preserveQuery: false })
  const request = [planPhase('http_request_dynamic_redirect', { zone: [nowhere] })]
  const { url } = await startEdge(t, planFor(origin.url, { request }))
  assert.equal(await (await fetch(url)).text(), 'here')
})
