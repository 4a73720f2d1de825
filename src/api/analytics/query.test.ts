import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventCursor, readEventCursor } from './query.ts'

test('cursors of any partition are read: ids have as many digits as exact numbers', () => {
  for (const id of [1, Number.MAX_SAFE_INTEGER]) {
    const position = { timeMs: Date.UTC(2026, 0, 2), id }
    assert.deepEqual(readEventCursor(eventCursor(position)), position)
  }
})
