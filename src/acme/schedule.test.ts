import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renewalMs, retryDelayMs } from './schedule.ts'

test('a certificate is renewed when a third of its life is left, or a little earlier', () => {
  assert.equal(renewalMs(1000, 91_000, 0), 61_000)
  assert.equal(renewalMs(1000, 91_000, 1), 58_300)
})

test('the wait after a failure doubles up to six hours, and varies by a quarter', () => {
  const minutes = [1, 2, 3, 8, 9, 1000].map(failures => retryDelayMs(failures, 0) / 60_000)
  assert.deepEqual(minutes, [2, 4, 8, 256, 360, 360])
  assert.equal(retryDelayMs(1, 1), 150_000)
})
