import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Grammar } from './grammar.ts'
import { arePlainWords } from './plain.ts'

test('words without a meaning in SQL, and whole numbers, are plain', () => {
  for (const value of ['', ' ', 'John Smith', 'river  12 garden', 'Zo\xc3\xab 7', 'sand candle 4_5', 'orx'])
    assert.ok(arePlainWords(value), value)
  for (const value of [
    '1 or 1',
    'a UNION b',
    'x 1e5',
    '0x1f',
    '7d',
    "o'neil",
    'a.b',
    'a,b',
    '$1',
    'a\tb',
    'sleep',
  ])
    assert.ok(!arePlainWords(value), value)
})

test('the grammar finds nothing in plain words', () => {
  const parts =
    `1 22 007 4_5 a x river smith q u n e b r _ id users sysusers dual mysql foo1 \xc3\xa9 \xe9 ELEMENT
    user_tables zz9 candle harbour A1 r2d2 x1f d`.split(/\s+/)
  const grammar = new Grammar()
  let seed = 7
  let plain = 0
  for (let round = 0; round < 3000; round++) {
    const words: string[] = []
    for (let left = 1 + (round % 9); left > 0; left--) {
      seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff
      words.push(parts[(seed >> 8) % parts.length]!, ' '.repeat(1 + ((seed >> 4) % 2)))
    }
    const value = words.join('')
    if (!arePlainWords(value)) continue
    plain++
    for (const mysql of [false, true]) {
      assert.ok(grammar.begin(value, { quote: '', mysql }))
      assert.equal(grammar.readTo(Number.POSITIVE_INFINITY), false, value)
    }
  }
  assert.ok(plain > 1000)
})
