import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sipHash128 } from './sip-hash.ts'

/** Bytes 0, 1, 2 …, as in the reference implementation's vectors. */
const key = new Uint32Array(Uint8Array.from({ length: 16 }, (_, at) => at).buffer)

function hash(bytes: string): string {
  const out = new Uint32Array(4)
  sipHash128(key, bytes, out)
  return Buffer.from(out.buffer).toString('hex')
}

const counting = (length: number) => String.fromCharCode(...Array.from({ length }, (_, at) => at))

test('the vectors of the reference implementation', () => {
  assert.equal(hash(''), 'a3817f04ba25a8e66df67214c7550293')
  assert.equal(hash(counting(1)), 'da87c1d86b99af44347659119b22fc45')
})

test('every length around a word, and every bit of a byte, counts', () => {
  const seen = new Set<string>()
  for (let length = 0; length <= 40; length++) seen.add(hash(counting(length)))
  for (let bit = 0; bit < 8; bit++) seen.add(hash(`${counting(12)}${String.fromCharCode(1 << bit)}`))
  // counting(13) ends in 12; the others end in powers of two.
  assert.equal(seen.size, 41 + 8)
})

test('another key gives another hash', () => {
  const out = new Uint32Array(4)
  sipHash128(new Uint32Array([1, 2, 3, 4]), '', out)
  assert.notEqual(Buffer.from(out.buffer).toString('hex'), hash(''))
})
