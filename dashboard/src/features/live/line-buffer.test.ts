import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptMax, LineBuffer } from './line-buffer.ts'

test('lines come newest first, regardless of their messages', () => {
  const buffer = new LineBuffer()
  buffer.add('{"a":1}\n{"a":2}\n')
  buffer.add('{"a":3}\nno json\n7\n')
  assert.deepEqual(
    buffer.newest().map(({ number, values }) => [number, values['a']]),
    [
      [2, 3],
      [1, 2],
      [0, 1],
    ],
  )
  buffer.clear()
  assert.deepEqual([buffer.newest(), buffer.total], [[], 0])
})

test('the buffer keeps only the newest lines', () => {
  const buffer = new LineBuffer()
  const message = '{"a":1}\n'.repeat(100)
  for (let sent = 0; sent < 3 * keptMax; sent += 100) {
    buffer.add(message)
    assert.equal(buffer.newest().length, Math.min(keptMax, sent + 100))
  }
  assert.equal(buffer.total, 3 * keptMax)
  assert.equal(buffer.newest()[0]?.number, 3 * keptMax - 1)
})
