import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isChangeableHeader } from './header-names.ts'

test('headers that rules may change', () => {
  for (const [name, inRequests, inResponses] of [
    ['X-Team', true, true],
    ['cookie', true, true],
    ['Server', true, true],
    ['Host', false, true],
    ['X-Forwarded-For', false, true],
    ['x-forwarded-proto', false, true],
    ['X-Forwarded-Host', true, true],
    ['Expect', false, true],
    ['CDN-Loop', false, true],
    ['Content-Length', false, false],
    ['transfer-encoding', false, false],
    ['Connection', false, false],
    ['Ray-ID', false, false],
    ['CF-Connecting-IP', false, false],
    ['cf-', false, false],
    ['cfoo', true, true],
    ['', false, false],
    ['two words', false, false],
    ['a:b', false, false],
    ['é', false, false],
  ] as const) {
    assert.equal(isChangeableHeader(name, 'request'), inRequests, name)
    assert.equal(isChangeableHeader(name, 'response'), inResponses, name)
  }
})
