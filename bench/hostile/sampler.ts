import type { ByteSet } from '../../src/regex/byte-set.ts'
import type { Node } from '../../src/regex/syntax/ast.ts'
import type { Random } from '../support/random.ts'

type Repeat = Extract<Node, { kind: 'repeat' }>

/** A repetition inside a pattern, and the text before it. */
export interface Loop {
  readonly before: readonly Node[]
  readonly item: Node
  /** The state of an automaton for it: nodes, times turns if they are counted. */
  readonly weight: number
}

/** Minimum of possible turns. */
const turnsMin = 8

/** Every loop of a pattern, the heaviest first. */
export function loopsOf(root: Node): readonly Loop[] {
  const loops: Loop[] = []
  collect(root, [], loops)
  return loops.toSorted((a, b) => b.weight - a.weight)
}

function collect(node: Node, before: readonly Node[], loops: Loop[]): void {
  switch (node.kind) {
    case 'concat':
      for (const [i, item] of node.items.entries())
        collect(item, [...before, ...node.items.slice(0, i)], loops)
      break
    case 'alternatives':
      for (const item of node.items) collect(item, before, loops)
      break
    case 'look':
      for (const { item } of node.branches) collect(item, before, loops)
      break
    case 'group':
    case 'atomic':
      collect(node.item, before, loops)
      break
    case 'repeat':
      if (node.max >= turnsMin) loops.push({ before, item: node.item, weight: weightOf(node) })
      collect(node.item, before, loops)
      break
  }
}

function weightOf({ item, max }: Repeat): number {
  return nodesOf(item) * (max === Number.POSITIVE_INFINITY ? 1 : max)
}

function nodesOf(node: Node): number {
  switch (node.kind) {
    case 'concat':
    case 'alternatives':
      return node.items.reduce((sum, item) => sum + nodesOf(item), 0)
    case 'group':
    case 'atomic':
    case 'repeat':
      return 1 + nodesOf(node.item)
    default:
      return 1
  }
}

/**
 * Sets of more bytes than this (`.`, `[^"]`) are filled with bytes of the pattern's smaller sets, which affect it more.
 */
const smallSetMax = 20

/** Makes texts that a part of a pattern matches, a new one each time. Assertions and look-around are ignored. */
export class Sampler {
  readonly #random: Random
  readonly #choices = new Map<ByteSet, readonly number[]>()
  readonly #alphabet: ReadonlySet<number>

  constructor(root: Node, random: Random) {
    this.#random = random
    const alphabet = new Set<number>()
    forEachSet(root, set => {
      const bytes = bytesOf(set)
      if (bytes.length <= smallSetMax) for (const byte of bytes) alphabet.add(byte)
    })
    this.#alphabet = alphabet
  }

  text(node: Node): string {
    switch (node.kind) {
      case 'set':
        return this.#byte(node.set)
      case 'concat':
        return node.items.map(item => this.text(item)).join('')
      case 'alternatives':
        return this.text(node.items[this.#random.number(node.items.length)]!)
      case 'group':
      case 'atomic':
        return this.text(node.item)
      case 'repeat': {
        const turns = Math.min(node.max, node.min + this.#random.number(3))
        return Array.from({ length: turns }, () => this.text(node.item)).join('')
      }
      default:
        return ''
    }
  }

  #byte(set: ByteSet): string {
    let bytes = this.#choices.get(set)
    if (bytes === undefined) {
      bytes = this.#choicesOf(set)
      this.#choices.set(set, bytes)
    }
    return bytes.length === 0 ? '' : String.fromCharCode(bytes[this.#random.number(bytes.length)]!)
  }

  /** Lower case before upper case, which many rules fold. */
  #choicesOf(set: ByteSet): readonly number[] {
    const all = bytesOf(set)
    const folded = all.filter(byte => !(byte >= 0x41 && byte <= 0x5a && set.has(byte | 0x20)))
    const known = all.length > smallSetMax ? folded.filter(byte => this.#alphabet.has(byte)) : []
    return known.length > 0 ? known : folded
  }
}

function forEachSet(node: Node, visit: (set: ByteSet) => void): void {
  if (node.kind === 'set') visit(node.set)
  else if (node.kind === 'concat' || node.kind === 'alternatives') {
    for (const item of node.items) forEachSet(item, visit)
  } else if (node.kind === 'group' || node.kind === 'atomic' || node.kind === 'repeat') {
    forEachSet(node.item, visit)
  }
}

function bytesOf(set: ByteSet): number[] {
  return Array.from({ length: 256 }, (_, byte) => byte).filter(byte => set.has(byte))
}
