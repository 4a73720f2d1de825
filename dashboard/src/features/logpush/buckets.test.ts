import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketsOf } from './buckets.ts'

const hourMs = 3_600_000
const firstMs = Date.parse('2026-08-12T00:00:00Z')
const hour = (n: number) => new Date(firstMs + n * hourMs).toISOString()
const lag = (n: number, seconds: number) => ({ hour: hour(n), lag_seconds_max: seconds })

test('a bar of many hours is as far behind as the worst of them, and says nothing of hours without a word', () => {
  const lags = [lag(0, 4), lag(5, 70), lag(6, 0), lag(-1, 900)]
  const days = bucketsOf({ hours: [], lags }, firstMs, firstMs + 7 * 24 * hourMs)
  assert.deepEqual(
    days.slice(0, 3).map(bucket => bucket.lag),
    [70, 0, null],
  )
  const hours = bucketsOf({ hours: [], lags }, firstMs, firstMs + 24 * hourMs)
  assert.deepEqual(
    hours.slice(0, 7).map(bucket => bucket.lag),
    [4, null, null, null, null, 70, 0],
  )
})

test('lines and bytes count deliveries; lost lines are counted separately', () => {
  const amounts = { uploads: 2, lines: 30, bytes: 400, bytes_compressed: 50 }
  const hours = [
    { ...amounts, hour: hour(1), outcome: 'successful' as const, status: '200' },
    { ...amounts, hour: hour(1), outcome: 'retry' as const, status: '503' },
    { ...amounts, hour: hour(1), outcome: 'missing' as const, status: '' },
  ]
  const { ms, label, ...counts } = bucketsOf({ hours, lags: [] }, firstMs, firstMs + 3 * hourMs)[1]!
  assert.equal(ms, firstMs + hourMs)
  assert.notEqual(label, '')
  assert.deepEqual(counts, {
    lines: 30,
    bytes: 400,
    compressed: 50,
    successful: 2,
    retry: 2,
    failed: 0,
    missing: 30,
    reset: 0,
    lag: null,
  })
})
