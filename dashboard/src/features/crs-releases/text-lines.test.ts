import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareLines } from './text-lines.ts'

const signs = { same: ' ', removed: '-', added: '+' } as const

test('lines of two texts are the same, removed or added', () => {
  const rows: readonly [from: string, to: string, want: readonly string[]][] = [
    ['a', 'a', [' a']],
    ['', '', [' ']],
    ['a', 'b', ['-a', '+b']],
    ['a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
    ['a\nb', 'b', ['-a', ' b']],
    ['b', 'a\nb', ['+a', ' b']],
    ['a\nb', 'a', [' a', '-b']],
    ['a\nb\nc\nd', 'c\nd\na\nb', ['-a', '-b', ' c', ' d', '+a', '+b']],
  ]
  for (const [from, to, want] of rows)
    assert.deepEqual(
      compareLines(from, to).map(({ kind, text }) => signs[kind] + text),
      want,
      JSON.stringify([from, to]),
    )
})

test('very long texts are shown one after the other', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`).join('\n')
  assert.equal(compareLines(lines(400), lines(400)).length, 400)
  assert.equal(compareLines(lines(401), lines(400)).length, 801)
})
