import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PhraseSet } from './phrase-set.ts'

test('the phrase that ends first, the longest of several', () => {
  const rows: [string[], string, string | undefined][] = [
    [['he', 'she', 'hers'], 'ushers', 'she'],
    [['she', 'he'], 'the', 'he'],
    [['abcd', 'bc'], 'abcd', 'bc'],
    [['abcd', 'bx'], 'abcbx', 'bx'],
    [['a', 'ab'], 'xab', 'a'],
    [['Ab', 'aB'], 'ab', 'Ab'],
    [['\xff\0'], 'a\xff\0', '\xff\0'],
    [['aab'], 'aaab', 'aab'],
    [['abc'], '', undefined],
    [[], 'abc', undefined],
  ]
  for (const [phrases, value, want] of rows)
    assert.equal(PhraseSet.of(phrases).search(value), want, `${phrases} in ${value}`)
})

test('agrees with a search for each phrase', () => {
  let state = Number(process.env['SEED'] ?? Date.now() & 0x7fffffff)
  console.log(`seed ${state}`)
  const random = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return (state >> 8) % below
  }
  const word = (alphabet: string, max: number) =>
    Array.from({ length: 1 + random(max) }, () => alphabet[random(alphabet.length)]).join('')
  for (let round = 0; round < 2000; round++) {
    const alphabet = round % 2 === 0 ? 'abAB' : 'abcdefghijklmnopqrstuvwxyz\xe9\0'
    const phrases = Array.from({ length: 1 + random(30) }, () => word(alphabet, 5))
    const set = PhraseSet.of(phrases)
    const value = word(alphabet, 30)
    const folded = value.toLowerCase()
    const ends = phrases
      .filter(phrase => folded.includes(phrase.toLowerCase()))
      .map(phrase => ({ end: folded.indexOf(phrase.toLowerCase()) + phrase.length, size: phrase.length }))
      .sort((a, b) => a.end - b.end || b.size - a.size)
    const found = set.search(value)
    assert.equal(found?.length, ends[0]?.size, `${JSON.stringify(phrases)} in ${JSON.stringify(value)}`)
  }
})
