import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inPieces, type Seam } from './pieces.ts'

/** The pieces that the transformation gets, and their number at each pause. */
function piecesOf(value: string, bytes: number, seam: Seam): { pieces: string[]; pauses: number[] } {
  const pieces: string[] = []
  const steps = inPieces(piece => pieces[pieces.push(piece) - 1]!, seam, value, bytes)
  const pauses: number[] = []
  while (!steps.next().done) pauses.push(pieces.length)
  return { pieces, pauses }
}

test('a long value is cut, with a pause after each piece but the last', () => {
  const anywhere: Seam = (_value, _from, _searched, at) => at
  const { pieces, pauses } = piecesOf('abcdefgh', 3, anywhere)
  assert.deepEqual(pieces, ['abc', 'def', 'gh'])
  assert.deepEqual(pauses, [1, 2])
  assert.deepEqual(piecesOf('abcdef', 3, anywhere).pieces, ['abc', 'def'])
  assert.deepEqual(piecesOf('abc', 3, anywhere), { pieces: ['abc'], pauses: [] })
  assert.deepEqual(piecesOf('', 3, anywhere), { pieces: [], pauses: [] })
})

test('without a position to cut, the piece gets longer', () => {
  const behindComma: Seam = (value, from, _searched, at) => Math.max(from, value.lastIndexOf(',', at - 1) + 1)
  const { pieces, pauses } = piecesOf('a,bcdefgh,i', 3, behindComma)
  assert.deepEqual(pieces, ['a,', 'bcdefgh,i'])
  assert.deepEqual(pauses, [1, 1, 1])
})
