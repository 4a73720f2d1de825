import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../model/resource.ts'
import { viewOf } from './fields/view.test-support.ts'
import type { RateLimitRule } from './plan.ts'
import { rateLimitOf } from './plan-rate-limit.ts'
import { PlanSource } from './plan-source.ts'
import type { RequestView } from './request-view.ts'

const basic = { characteristics: ['ip.src'], period: 60, requests_per_period: 100 }

function limitOf(parameters: JsonObject, filter = 'true'): RateLimitRule {
  const source = new PlanSource(() => undefined)
  return rateLimitOf(parameters, source.filter(filter, { phase: 'http_ratelimit', use: 'filter' }), source)
}

test('times are milliseconds, what is left out is nothing', () => {
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

test('what counts is what the rule matches, unless it says otherwise', () => {
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
