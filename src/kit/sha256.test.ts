import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import { hmacSha256, sha256 } from './sha256.ts'

const bytes = (length: number) =>
  Array.from({ length }, (_, at) => String.fromCharCode((at * 37 + length) & 0xff)).join('')

test('hashes equal the platform’s, on both sides of every block', () => {
  for (const length of [0, 1, 3, 54, 55, 56, 57, 63, 64, 65, 119, 120, 121, 127, 128, 129, 1000]) {
    const want = createHash('sha256').update(bytes(length), 'latin1').digest('latin1')
    assert.equal(sha256(bytes(length)), want, `${length} bytes`)
  }
})

test('codes equal the platform’s, for keys shorter and longer than a block', () => {
  for (const length of [0, 1, 63, 64, 65, 200]) {
    const want = createHmac('sha256', Buffer.from(bytes(length), 'latin1'))
      .update(bytes(70), 'latin1')
      .digest('latin1')
    assert.equal(hmacSha256(bytes(length), bytes(70)), want, `key of ${length} bytes`)
  }
})
