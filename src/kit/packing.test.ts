import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PackReader, PackWriter } from './packing.ts'

test('values are read in the order of writing', () => {
  const own = new PackWriter()
  own.text('inside')
  const pack = new PackWriter()
  pack.number(-(2 ** 31))
  pack.numbers(Int32Array.of(1, -2, 2 ** 31 - 1))
  pack.bytes(Uint8Array.of(1, 2, 3, 4, 255))
  pack.block(own)
  pack.shorts(Uint16Array.of(1, 65_535, 3))
  pack.text('caf\xe9\0')
  pack.text('')
  pack.numbers(new Int32Array(5000).fill(7))
  const reader = new PackReader(pack.written())
  assert.equal(reader.number(), -(2 ** 31))
  assert.deepEqual([...reader.numbers()], [1, -2, 2 ** 31 - 1])
  assert.deepEqual([...reader.bytes()], [1, 2, 3, 4, 255])
  const inside = reader.block()
  assert.deepEqual([...reader.shorts()], [1, 65_535, 3])
  assert.equal(reader.text(), 'caf\xe9\0')
  assert.equal(reader.text(), '')
  assert.deepEqual(new Set(reader.numbers()), new Set([7]))
  assert.equal(inside.text(), 'inside')
})

test('arrays are views of the packed bytes, wherever these begin', () => {
  const pack = new PackWriter()
  pack.numbers(Int32Array.of(5))
  pack.shorts(Uint16Array.of(6))
  const words = new Int32Array(new SharedArrayBuffer(64), 8)
  words.set(pack.written())
  const reader = new PackReader(words)
  assert.deepEqual(
    [reader.numbers(), reader.shorts()].map(view => [view.buffer === words.buffer, view[0]]),
    [
      [true, 5],
      [true, 6],
    ],
  )
})

test('nothing is read beyond the end', () => {
  const pack = new PackWriter()
  pack.bytes(new Uint8Array(8))
  const whole = pack.written()
  assert.equal(new PackReader(whole).bytes().length, 8)
  assert.throws(() => new PackReader(whole.subarray(0, 2)).bytes(), RangeError)
  assert.throws(() => new PackReader(Int32Array.of(-1)).numbers(), RangeError)
  assert.throws(() => new PackReader(new Int32Array(0)).number(), RangeError)
})

test('values that packing would change are refused', () => {
  const pack = new PackWriter()
  assert.throws(() => pack.number(2 ** 31), /32 bits/)
  assert.throws(() => pack.number(0.5), /32 bits/)
  assert.throws(() => pack.text('\u0100'), /byte string/)
})
