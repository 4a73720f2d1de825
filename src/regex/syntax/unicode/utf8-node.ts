import { ByteSet } from '../../byte-set.ts'
import type { Node } from '../ast.ts'
import { type CodeSet, intersectionOf } from './code-set.ts'
import { remembered } from './remembered.ts'

/** Lead bytes of characters with a number of continuation bytes, and these characters. */
const leads = [
  { behind: 1, first: 0xc2, last: 0xdf, mask: 0x1f, from: 0x80, to: 0x7ff },
  { behind: 2, first: 0xe0, last: 0xef, mask: 0x0f, from: 0x800, to: 0xffff },
  { behind: 3, first: 0xf0, last: 0xf4, mask: 0x07, from: 0x10000, to: 0x10ffff },
] as const

/** One character of a set, as bytes of UTF-8. Lead bytes with the same continuations are one branch. */
export const utf8Node: (set: CodeSet) => Node = remembered(set => {
  const branches: Node[] = []
  const ascii = intersectionOf(set, [0, 0x7f])
  if (ascii.length > 0) branches.push({ kind: 'set', set: byteRanges(ascii, 0) })
  for (const { behind, first, last, mask, from, to } of leads) {
    const builder = new TailBuilder(intersectionOf(set, [from, to]))
    const tails = Array.from({ length: last - first + 1 }, (_, at) =>
      builder.tail(((first + at) & mask) * 64 ** behind, behind),
    )
    branches.push(...grouped(tails, first).map(nodeOf))
  }
  if (branches.length === 1) return branches[0]!
  // Nothing matches a set without members.
  return branches.length === 0
    ? { kind: 'set', set: new ByteSet() }
    : { kind: 'alternatives', items: branches }
})

/** The continuations after some bytes. Equal ones are one object. */
interface Tail {
  readonly id: number
  readonly node: Node
}

interface Branch {
  readonly bytes: ByteSet
  readonly tail: Tail
}

class TailBuilder {
  readonly #set: CodeSet
  readonly #known = new Map<string, Tail>()
  /** Ranges before it end before the next window: windows come in order. */
  #at = 0

  constructor(set: CodeSet) {
    this.#set = set
  }

  /** Continuation bytes of the set's characters from `base` on, `levels` bytes each; undefined if there are none. */
  tail(base: number, levels: number): Tail | undefined {
    const size = 64 ** levels
    while (this.#at < this.#set.length && this.#set[this.#at + 1]! < base) this.#at += 2
    if (this.#at >= this.#set.length || this.#set[this.#at]! >= base + size) return undefined
    if (levels === 1) {
      const window = intersectionOf(this.#set.slice(this.#at, this.#at + 130), [base, base + 63])
      return this.#share(`1 ${window.map(code => code - base).join()}`, () => ({
        kind: 'set',
        set: byteRanges(window, base - 0x80),
      }))
    }
    const isWhole = this.#set[this.#at]! <= base && this.#set[this.#at + 1]! >= base + size - 1
    if (isWhole) return this.#share(`${levels} whole`, () => wholeTail(levels))
    const tails = Array.from({ length: 64 }, (_, at) => this.tail(base + at * (size / 64), levels - 1))
    return this.#share(`${levels} ${tails.map(tail => tail?.id ?? '').join()}`, () => {
      const items = grouped(tails, 0x80).map(nodeOf)
      return items.length === 1 ? items[0]! : { kind: 'alternatives', items }
    })
  }

  #share(key: string, make: () => Node): Tail {
    let tail = this.#known.get(key)
    if (tail === undefined) {
      tail = { id: this.#known.size, node: make() }
      this.#known.set(key, tail)
    }
    return tail
  }
}

const continuation = ByteSet.range(0x80, 0xbf)

function wholeTail(levels: number): Node {
  return { kind: 'concat', items: Array.from({ length: levels }, () => ({ kind: 'set', set: continuation })) }
}

/** Bytes from `first` on that have the same tail belong together. */
function grouped(tails: readonly (Tail | undefined)[], first: number): readonly Branch[] {
  const groups = new Map<number, Branch>()
  for (const [at, tail] of tails.entries()) {
    if (tail === undefined) continue
    const bytes = groups.get(tail.id)?.bytes ?? new ByteSet()
    bytes.addRange(first + at, first + at)
    groups.set(tail.id, { bytes, tail })
  }
  return [...groups.values()]
}

function nodeOf({ bytes, tail }: Branch): Node {
  const { node } = tail
  return {
    kind: 'concat',
    items: [{ kind: 'set', set: bytes }, ...(node.kind === 'concat' ? node.items : [node])],
  }
}

/** The characters of a set less `offset`, as bytes. */
function byteRanges(set: CodeSet, offset: number): ByteSet {
  const bytes = new ByteSet()
  for (let at = 0; at < set.length; at += 2) bytes.addRange(set[at]! - offset, set[at + 1]! - offset)
  return bytes
}
