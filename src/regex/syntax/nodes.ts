import { ByteSet } from '../byte-set.ts'
import type { Node } from './ast.ts'

/** Nodes of one byte, and of both cases of a letter, are shared: most of a pattern is plain text. */
const singles: Node[] = []
const foldedSingles: Node[] = []

export function singleByte(byte: number): Node {
  singles[byte] ??= { kind: 'set', set: ByteSet.of([byte]) }
  return singles[byte]
}

export function foldedByte(byte: number): Node {
  foldedSingles[byte] ??= isLetter(byte)
    ? { kind: 'set', set: ByteSet.of([byte]).folded() }
    : singleByte(byte)
  return foldedSingles[byte]
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

/** A possessive repetition of a set takes all its bytes, so that none follows. */
export function wholeRun(item: Extract<Node, { kind: 'set' }>, min: number): Node {
  const max = Number.POSITIVE_INFINITY
  const run: Node = { kind: 'repeat', item, min, max, mode: 'greedy', emptyTurns: false }
  return { kind: 'concat', items: [run, { kind: 'next', set: item.set, negative: true }] }
}
