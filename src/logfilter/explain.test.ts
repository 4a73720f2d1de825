import assert from 'node:assert/strict'
import { test } from 'node:test'
import { datasets } from '../model/datasets/table.ts'
import { explainFilter } from './explain.ts'
import { measureFilter } from './measure.ts'

const dataset = datasets.get('http_requests')!

function explained(where: unknown): string {
  const outcome = explainFilter(JSON.stringify({ where }), dataset)
  assert.ok(outcome.ok, JSON.stringify(outcome))
  return outcome.text
}

test('a filter reads as a sentence', () => {
  const host = { key: 'ClientRequestHost', operator: 'eq', value: 'shop.test' }
  const failed = { key: 'EdgeResponseStatus', operator: 'geq', value: '500' }
  const slow = { key: 'OriginResponseTime', operator: 'gt', value: 1e9 }
  const rows: [unknown, string][] = [
    [host, 'Client request host is shop.test'],
    [{ and: [host, failed] }, 'Client request host is shop.test, and edge response status is at least 500'],
    [
      { and: [host, { or: [failed, slow] }] },
      'Client request host is shop.test, and (edge response status is at least 500, or origin response time is above 1000000000)',
    ],
    [
      { or: [{ and: [failed] }, slow] },
      'Edge response status is at least 500, or origin response time is above 1000000000',
    ],
    [{ key: 'RayID', operator: '!eq', value: '' }, 'Ray ID is not empty'],
    [{ key: 'RayID', operator: 'in', value: [''] }, 'Ray ID is empty'],
    [{ key: 'RayID', operator: '!in', value: ['a'] }, 'Ray ID is not a'],
    [
      { key: 'ClientRequestUserAgent', operator: '!contains', value: 'two words' },
      'Client request user agent does not contain "two words"',
    ],
    [{ key: 'ClientRequestPath', operator: 'startsWith', value: '/a' }, 'Client request path starts with /a'],
    [
      { key: 'ClientRequestPath', operator: '!endsWith', value: '.js' },
      'Client request path does not end with .js',
    ],
    [
      { key: 'EdgeResponseStatus', operator: 'in', value: [502, '504', 520] },
      'Edge response status is one of 502, 504 or 520',
    ],
    [
      { key: 'EdgeResponseStatus', operator: '!in', value: [502, 504] },
      'Edge response status is none of 502 and 504',
    ],
    [{ key: 'EdgeResponseStatus', operator: 'lt', value: 500 }, 'Edge response status is below 500'],
    [{ key: 'EdgeResponseStatus', operator: 'leq', value: 500 }, 'Edge response status is at most 500'],
    [{ key: 'CacheReserveUsed', operator: 'eq', value: 'true' }, 'Cache reserve used is true'],
    [{ key: 'WAFSQLiAttackScore', operator: 'gt', value: 1 }, 'WAF SQLi attack score is above 1'],
    [{ key: 'SecurityActions', operator: 'contains', value: 'block' }, 'Block is among the security actions'],
    [
      { key: 'SecurityActions', operator: '!contains', value: 'block' },
      'Block is not among the security actions',
    ],
    [
      { key: 'SecurityActions', operator: 'in', value: ['block', 'log'] },
      'One of block or log is among the security actions',
    ],
    [
      { key: 'BotDetectionIDs', operator: '!in', value: [1, 2] },
      'None of 1 and 2 is among the bot detection IDs',
    ],
    [
      { key: 'EdgeStartTimestamp', operator: 'geq', value: '1777593600000000001' },
      'Edge start timestamp is not before 2026-05-01T00:00:00.000000001Z',
    ],
    [
      { key: 'EdgeEndTimestamp', operator: 'lt', value: '2026-05-01T02:00:00+02:00' },
      'Edge end timestamp is before 2026-05-01T00:00:00Z',
    ],
  ]
  for (const [where, want] of rows) assert.equal(explained(where), want)
})

test('no filter means every record, and a bad filter is refused as elsewhere', () => {
  assert.deepEqual(explainFilter('', dataset), { ok: true, text: 'Every record' })
  const outcome = explainFilter('{"where":{"key":"Nope","operator":"eq","value":1}}', dataset)
  assert.ok(!outcome.ok && outcome.problem.pointer === '/where/key')
})

test('a filter is measured while it is written', () => {
  const limits = { operatorsMax: 30, bytesMax: 1000 }
  const rows: [string, number, number][] = [
    ['', 0, 0],
    ['{"where":{"key":"é"}}', 1, 22],
    ['{"where":{"and":[{},{"or":[{},{}]}]}}', 5, 37],
    ['{"where":{"and":[{},{"or":[', 0, 27],
    ['[]', 0, 2],
    [`{"where":{"or":[${Array(40).fill('{}')}]}}`, 41, 138],
  ]
  for (const [filter, operators, bytes] of rows)
    assert.deepEqual(measureFilter(filter), { operators, bytes, ...limits }, filter)
  const padded = (bytes: number) => '{"where":{}}'.padEnd(bytes)
  assert.equal(measureFilter(padded(16_000)).operators, 1)
  assert.equal(measureFilter(padded(16_001)).operators, 0)
})
