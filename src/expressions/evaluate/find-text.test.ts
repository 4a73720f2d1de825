import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findText } from './find-text.ts'

test('long and short texts are found at their first occurrence', () => {
  const a = (count: number) => 'a'.repeat(count)
  const rows: readonly (readonly [value: string, text: string, from: number])[] = [
    ['', '', 0],
    ['abc', '', 2],
    ['abcabc', 'c', 3],
    ...[255, 256, 257, 300].flatMap((length): (readonly [string, string, number])[] => [
      [`${a(length)}b${a(length)}`, `b${a(length - 1)}`, 0],
      [`${a(3 * length)}b`, `${a(length - 1)}b`, 0],
      [`${a(3 * length)}c`, `${a(length - 1)}b`, 0],
      [a(length - 1), a(length), 0],
      [a(length), a(length), 0],
      [a(length), a(length), 1],
      [`x${a(length)}x${a(length)}`, a(length), 2],
      ['ab'.repeat(length), `${'ab'.repeat(length / 2)}`, 1],
      [`${'aab'.repeat(length)}aac`, `${'aab'.repeat(length - 1)}aac`, 0],
    ]),
  ]
  for (const [value, text, from] of rows) {
    assert.equal(findText(value, text, from), value.indexOf(text, from), `${text.length} from ${from}`)
  }
})
