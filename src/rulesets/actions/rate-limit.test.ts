import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replaceEntryPoint } from '../documents/documents.ts'
import { accepted, check, contextOf, type Row } from '../testing/documents.ts'

const base = { characteristics: ['cf.colo.id', 'ip.src'], period: 60, requests_per_period: 100 }
const rule = { action: 'block', expression: 'http.request.uri.path eq "/login"' }

const put = (body: unknown) => replaceEntryPoint(undefined, 'http_ratelimit', body, contextOf('zone'))
const limited = (ratelimit: unknown, more: object = {}) => ({ rules: [{ ...rule, ratelimit, ...more }] })

test('rate limits are stored as sent, and without a timeout with 0', () => {
  const rows = [
    base,
    { mitigation_timeout: 0, ...base, requests_to_origin: false, counting_expression: '' },
    { mitigation_timeout: 86_400, ...base, period: 86_400, counting_expression: 'http.response.code eq 401' },
    { ...base, characteristics: ['http.request.headers["x-api-key"]', 'cf.unique_visitor_id'], period: 1 },
    {
      characteristics: ['ip.src'],
      period: 10,
      score_per_period: 400,
      score_response_header_name: 'X-Score',
    },
  ]
  for (const ratelimit of rows) {
    const [made] = accepted(put(limited(ratelimit))).rules
    assert.equal(JSON.stringify(made!.ratelimit), JSON.stringify({ mitigation_timeout: 0, ...ratelimit }))
  }
  const unset = { ...base, counting_expression: null, score_per_period: null }
  assert.deepEqual(accepted(put(limited(unset))).rules[0]!.ratelimit, { mitigation_timeout: 0, ...base })
})

test('rate limits: refusals', () => {
  const at = '/rules/0/ratelimit'
  const rows: readonly Row[] = [
    [{ rules: [rule] }, 20219, at, 'ratelimit is required for the block action in the phase http_ratelimit'],
    [limited(null, { action: 'log' }), 20219, at, /required for the log action/],
    [limited([]), 20203, at, /an object/],
    [limited({ ...base, colour: 1 }), 20201, `${at}/colour`, /unknown field/],
    [limited({ ...base, characteristics: null }), 20202, `${at}/characteristics`, /cannot be blank/],
    [limited({ ...base, characteristics: [] }), 20219, `${at}/characteristics`, /must not be empty/],
    [
      limited({ ...base, characteristics: Array(21).fill('ip.src') }),
      20219,
      `${at}/characteristics`,
      /more than 20/,
    ],
    [
      limited({ ...base, characteristics: ['ip.src', 'unknown'] }),
      20083,
      `${at}/characteristics/1`,
      /unknown identifier/,
    ],
    [
      limited({ ...base, characteristics: ['http.request.headers'] }),
      20083,
      `${at}/characteristics/0`,
      /must be no map/,
    ],
    [limited({ ...base, period: 0 }), 20219, `${at}/period`, /from 1 to 86400/],
    [limited({ ...base, period: 86_401 }), 20219, `${at}/period`, /from 1 to 86400/],
    [limited({ ...base, period: null }), 20202, `${at}/period`, /the period cannot be blank/],
    [limited({ ...base, requests_per_period: 0 }), 20219, `${at}/requests_per_period`, /at least 1/],
    [limited({ ...base, mitigation_timeout: -1 }), 20219, `${at}/mitigation_timeout`, /from 0 to 86400/],
    [limited({ ...base, mitigation_timeout: 86_401 }), 20219, `${at}/mitigation_timeout`, /from 0 to 86400/],
    [
      limited({ ...base, counting_expression: 'ssl and' }),
      20205,
      `${at}/counting_expression`,
      /^'ssl and' is not a valid value for counting_expression because could not parse filter expression: Filter parsing/,
    ],
    [
      limited({ ...base, requests_per_period: null }),
      20219,
      at,
      /exactly one of requests_per_period and score_per_period/,
    ],
    [limited({ ...base, score_per_period: 1 }), 20219, at, /belong together/],
    [
      limited({ ...base, score_per_period: 1, score_response_header_name: 'x' }),
      20219,
      at,
      /exactly one of requests_per_period/,
    ],
    [
      limited({ ...base, score_response_header_name: 'a b' }),
      20219,
      `${at}/score_response_header_name`,
      /the name of a header/,
    ],
    [
      limited(base, { action: 'skip', action_parameters: { ruleset: 'current' } }),
      20219,
      at,
      /not possible to limit rates with the skip action/,
    ],
  ]
  check(rows, put)
})
