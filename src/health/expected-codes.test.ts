import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isExpectedCode, isExpectedCodes } from './expected-codes.ts'

test('expected codes are codes, ranges and hundreds, with commas between them', () => {
  for (const [text, statuses, others] of [
    ['', [200], [201, 404]],
    ['2xx', [200, 299], [199, 300]],
    ['2XX, 404', [204, 404], [403, 405]],
    ['200-204,301', [200, 204, 301], [205, 300]],
  ] as const) {
    assert.ok(isExpectedCodes(text))
    for (const status of statuses) assert.ok(isExpectedCode(text, status), `${text} ${status}`)
    for (const status of others) assert.ok(!isExpectedCode(text, status), `${text} ${status}`)
  }
  for (const text of ['6xx', '20', '204-200', '2xx;3xx', 'ok', ',', '200-2xx'])
    assert.ok(!isExpectedCodes(text), text)
})
