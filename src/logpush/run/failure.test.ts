import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SinkError } from '../sinks/sink.ts'
import { failureOf, refusesCut, waitMs } from './failure.ts'
import { usualPace } from './pace.ts'

test('delay before the next attempt', () => {
  const { retryFirstMs, retryLongestMs, pausedRetryMs } = usualPace
  const busy = (retryAfterMs?: number) => new SinkError('status-503', 'later', 'busy', { retryAfterMs })
  const rows: [error: unknown, failures: number, fromMs: number, toMs: number][] = [
    [busy(), 1, 0.9 * retryFirstMs, 1.1 * retryFirstMs],
    [busy(), 3, 0.9 * 4 * retryFirstMs, 1.1 * 4 * retryFirstMs],
    [busy(), 99, 0.9 * retryLongestMs, 1.1 * retryLongestMs],
    [busy(7_000), 1, 7_000, 7_000],
    // The longest that is read of `Retry-After`.
    [busy(3_600_000), 1, 3_600_000, 3_600_000],
    [busy(100), 1, 0.9 * retryFirstMs, 1.1 * retryFirstMs],
    [new Error('anything'), 1, 0.9 * retryFirstMs, 1.1 * retryFirstMs],
    [new SinkError('status-403', 'never', 'no', { retryAfterMs: 1 }), 1, pausedRetryMs, pausedRetryMs],
  ]
  for (const [error, failures, fromMs, toMs] of rows) {
    const ms = waitMs(failureOf(error), usualPace, failures)
    assert.ok(ms >= fromMs && ms <= toMs, `${error} ${failures}: ${ms}`)
  }
})

test('refusals that a smaller batch may avoid', () => {
  const rows: [error: unknown, heals: boolean][] = [
    [new SinkError('status-413', 'never', '', { status: 413 }), true],
    [new SinkError('format', 'never', ''), true],
    [new SinkError('records-refused', 'never', '', { status: 413 }), false],
    [new SinkError('status-403', 'never', '', { status: 403 }), false],
    [new SinkError('status-400', 'never', '', { status: 400 }), false],
    [new SinkError('timeout', 'later', ''), false],
    [new Error('413'), false],
  ]
  for (const [error, heals] of rows) assert.equal(refusesCut(error), heals, String(error))
})
