import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expiryText } from './expiry-text.ts'

test('the time that a certificate has left, in whole days', () => {
  const nowMs = Date.parse('2026-06-10T12:00:00Z')
  const rows: readonly (readonly [string, string])[] = [
    ['2026-06-10T12:00:00Z', 'Expired'],
    ['2026-06-10T12:00:01Z', 'Expires within a day'],
    ['2026-06-11T12:00:00Z', 'Expires in 1 day'],
    ['2026-06-13T11:00:00Z', 'Expires in 2 days'],
  ]
  for (const [expiresOn, text] of rows) assert.equal(expiryText(expiresOn, nowMs), text)
})
