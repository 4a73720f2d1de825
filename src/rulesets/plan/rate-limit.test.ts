import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../model/resource.ts'
import type { RequestView } from '../fields/request-view.ts'
import { viewOf } from '../testing/request-view.ts'
import { PlanSource } from './expression-compiler.ts'
import type { RateLimitRule } from './plan.ts'
import { rateLimitOf } from './rate-limit.ts'

const basic = { characteristics: ['ip.src'], period: 60, requests_per_period: 100 }

function limitOf(parameters: JsonObject, filter = 'true'): RateLimitRule {
  const source = new PlanSource(() => undefined)
  return rateLimitOf(parameters, source.filter(filter, { phase: 'http_ratelimit', use: 'filter' }), source)
}

test('times are milliseconds, absent parameters have no effect', () => {
  const { periodMs, max, mitigationMs, scoreHeader } = limitOf(basic)
  assert.deepEqual([periodMs, max, mitigationMs, scoreHeader], [60_000, 100, 0, undefined])
  const scored = limitOf({
    characteristics: ['ip.src'],
    period: 10,
    score_per_period: 400,
    score_response_header_name: 'X-Score',
    mitigation_timeout: 30,
  })
  assert.deepEqual(
    [scored.max, scored.mitigationMs, scored.scoreHeader, scored.countedAt],
    [400, 30_000, 'x-score', 'response'],
  )
})

test('matched requests count, unless there is a counting expression', () => {
  const isPost = viewOf({ method: 'POST' })
  const filter = 'http.request.method eq "POST"'
  assert.deepEqual(
    [limitOf(basic, filter).counts(isPost), limitOf(basic, filter).counts(viewOf())],
    [true, false],
  )
  const blank = limitOf({ ...basic, counting_expression: ' ' }, filter)
  assert.equal(blank.counts(viewOf()), false)
  const own = limitOf({ ...basic, counting_expression: 'http.request.method eq "GET"' }, filter)
  assert.deepEqual([own.counts(isPost), own.counts(viewOf())], [false, true])
})

test('when a request is counted', () => {
  const rows: readonly (readonly [parameters: JsonObject, want: RateLimitRule['countedAt']])[] = [
    [{}, 'request'],
    [{ requests_to_origin: false }, 'request'],
    [{ requests_to_origin: true }, 'origin'],
    [{ counting_expression: 'http.response.code eq 401' }, 'response'],
    [{ counting_expression: 'http.response.code eq 401', requests_to_origin: true }, 'response'],
    [{ counting_expression: 'http.request.method eq "POST"', requests_to_origin: true }, 'origin'],
  ]
  for (const [parameters, want] of rows) assert.equal(limitOf({ ...basic, ...parameters }).countedAt, want)
})

test('no two combinations of values have the same key', () => {
  const characteristics = [
    'http.host',
    'http.request.headers["x-a"]',
    'http.request.uri.args["q"][0]',
    'ip.src',
  ]
  const { keyOf } = limitOf({ ...basic, characteristics })
  const header = (...values: string[]): Partial<RequestView> => ({
    headers: values.map(value => ['x-a', value] as const),
  })
  const views: readonly Partial<RequestView>[] = [
    {},
    { host: '' },
    { host: 'a' },
    { host: 'a', ...header('b') },
    { host: 'a', ...header('b', 'c') },
    { host: 'a', ...header('bc') },
    { host: 'a', ...header('') },
    { host: 'a', ...header('', '') },
    { host: 'a', ...header('b1:c') },
    { host: 'aa1;1:b' },
    { query: 'q=' },
    { query: 'q=-' },
    { query: 'q=1:' },
    { clientIp: '192.0.2.8' },
  ]
  const keys = views.map(view => keyOf(viewOf(view)))
  assert.equal(new Set(keys).size, views.length)
  assert.deepEqual(
    views.map(view => keyOf(viewOf(view))),
    keys,
  )
})

test('an IPv6 client is counted by its /64', () => {
  for (const characteristic of ['ip.src', 'cf.unique_visitor_id', 'cidr6(ip.src, 96)']) {
    const { keyOf } = limitOf({ ...basic, characteristics: [characteristic] })
    const key = (clientIp: string) => keyOf(viewOf({ clientIp }))
    assert.equal(key('2001:db8:1:2::1'), key('2001:db8:1:2:ffff:ffff:ffff:ffff'), characteristic)
    assert.equal(key('2001:db8:1:2::1'), key('2001:DB8:1:2:0:0:0:9'), characteristic)
    assert.notEqual(key('2001:db8:1:2::1'), key('2001:db8:1:3::1'), characteristic)
    if (characteristic === 'cidr6(ip.src, 96)') continue
    assert.notEqual(key('192.0.2.1'), key('192.0.2.2'), characteristic)
    assert.equal(key('::ffff:192.0.2.1'), key('192.0.2.1'), characteristic)
  }
})
