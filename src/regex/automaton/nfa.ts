import type { ByteSet } from '../byte-set.ts'
import type { Assertion, Node, Pattern } from '../syntax/ast.ts'
import { instructionCount } from '../syntax/measure.ts'

/** Operations. `x` and `y` are the operands of an instruction; the next instruction follows unless stated otherwise. */
export const op = {
  /** Consumes one byte of set `x`. */
  set: 0,
  /** Tries instruction `x`, then `y`. */
  split: 1,
  /** Continues at `x`. */
  jump: 2,
  /** Notes the position in slot `x`. */
  save: 3,
  /** Continues if assertion `x` holds. */
  assertion: 4,
  match: 5,
  /** Runs the branches of look-around `x`, each up to its `match`, until one holds, then continues at `y`. */
  look: 6,
  /** Runs the instructions after it up to their `match`, then continues at `y`. */
  atomic: 7,
  /** Continues if the next byte is in set `x` (`y` is 0), or if no byte of the set is next (`y` is 1). */
  next: 8,
  /** Consumes the text of group `x`, in any case if `y` is 1. */
  backreference: 9,
} as const

export interface LookAround {
  readonly negative: boolean
  readonly branches: readonly { readonly at: number; readonly back: number }[]
}

/** The nondeterministic automaton (NFA) of a pattern: its instructions in parallel arrays of numbers. */
export interface Nfa {
  readonly size: number
  readonly ops: Uint8Array
  readonly xs: Uint16Array
  readonly ys: Uint16Array
  readonly sets: readonly ByteSet[]
  readonly assertions: readonly Assertion[]
  readonly looks: readonly LookAround[]
  readonly groups: number
  readonly backreferences: boolean
  /** Present if they were computed ahead. */
  readonly tables?: StepTables | undefined
}

/** Tables derived from a regular NFA that make its steps fast. */
export interface StepTables {
  /** Byte → class; every instruction treats the bytes of one class alike. */
  readonly classes: Uint8Array
  /** Class → kind of its bytes for assertions. One entry per class. */
  readonly kinds: Uint8Array
  /** Set · number of classes + class → 1 if the set holds the class. */
  readonly holds: Uint8Array
  /** Instruction → the next one that decides something, after jumps and saves. */
  readonly landing: Uint16Array
  /** Assertion → bit 4 · (kind before) + (kind after), set if it holds. */
  readonly contexts: Int32Array
  /** Whether every thread begins at the start of the text. Else a fresh one begins before every byte. */
  readonly anchored: boolean
  /** Whether the kind of the byte before a position matters, besides its existence. */
  readonly tellsNeighbours: boolean
  /** 1 for bytes that may begin a match; for all bytes if a match may be empty. */
  readonly begins: Uint8Array
}

/** Instructions of an NFA besides those of the pattern: two saves, one match. */
export const instructionsAround = 3

/** Thompson's construction; repetitions are unrolled. */
export function buildNfa(pattern: Pattern): Nfa {
  const builder = new Builder(instructionCount(pattern.root) + instructionsAround)
  builder.emit(op.save, 0)
  builder.node(pattern.root)
  builder.emit(op.save, 1)
  builder.emit(op.match)
  const { ops, xs, ys, assertions, looks } = builder
  const { groups, backreferences } = pattern
  const sets = [...builder.sets.keys()]
  return { size: ops.length, ops, xs, ys, sets, assertions, looks, groups, backreferences }
}

class Builder {
  readonly ops: Uint8Array
  readonly xs: Uint16Array
  readonly ys: Uint16Array
  /** Set → number. */
  readonly sets = new Map<ByteSet, number>()
  readonly assertions: Assertion[] = []
  readonly looks: LookAround[] = []
  #length = 0

  constructor(size: number) {
    this.ops = new Uint8Array(size)
    this.xs = new Uint16Array(size)
    this.ys = new Uint16Array(size)
  }

  /** @returns the number of the instruction */
  emit(operation: number, x = 0, y = 0): number {
    const at = this.#length++
    this.ops[at] = operation
    this.xs[at] = x
    this.ys[at] = y
    return at
  }

  node(node: Node): void {
    switch (node.kind) {
      case 'empty':
        return
      case 'set':
        this.emit(op.set, this.#setNumber(node.set))
        return
      case 'concat':
        for (const item of node.items) this.node(item)
        return
      case 'alternatives':
        this.#alternatives(node.items)
        return
      case 'repeat':
        if (node.mode === 'possessive') this.#atomic(() => this.#repeat(node, true))
        else this.#repeat(node, node.mode === 'greedy')
        return
      case 'group':
        this.emit(op.save, 2 * node.index)
        this.node(node.item)
        this.emit(op.save, 2 * node.index + 1)
        return
      case 'assertion':
        this.emit(op.assertion, this.#assertionNumber(node.assertion))
        return
      case 'next':
        this.emit(op.next, this.#setNumber(node.set), node.negative ? 1 : 0)
        return
      case 'look':
        this.#look(node)
        return
      case 'atomic':
        this.#atomic(() => this.node(node.item))
        return
      case 'backreference':
        this.emit(op.backreference, node.index, node.caseInsensitive ? 1 : 0)
    }
  }

  #setNumber(set: ByteSet): number {
    const known = this.sets.get(set)
    if (known !== undefined) return known
    this.sets.set(set, this.sets.size)
    return this.sets.size - 1
  }

  #assertionNumber(assertion: Assertion): number {
    const known = this.assertions.indexOf(assertion)
    return known >= 0 ? known : this.assertions.push(assertion) - 1
  }

  #alternatives(items: readonly Node[]): void {
    const exits: number[] = []
    for (const [index, item] of items.entries()) {
      if (index === items.length - 1) {
        this.node(item)
        break
      }
      const split = this.emit(op.split, this.#length + 1)
      this.node(item)
      exits.push(this.emit(op.jump))
      this.ys[split] = this.#length
    }
    for (const exit of exits) this.xs[exit] = this.#length
  }

  #repeat({ item, min, max, emptyTurns }: Extract<Node, { kind: 'repeat' }>, greedy: boolean): void {
    if (max !== Number.POSITIVE_INFINITY) {
      for (let count = 0; count < min; count++) this.node(item)
      const forks: number[] = []
      for (let count = min; count < max; count++) {
        forks.push(this.emit(op.split))
        this.node(item)
      }
      for (const fork of forks) this.#choose(fork, greedy, fork + 1, this.#length)
    } else if (min === 0 && !emptyTurns) {
      const top = this.emit(op.split)
      this.node(item)
      this.emit(op.jump, top)
      this.#choose(top, greedy, top + 1, this.#length)
    } else {
      // With empty turns x* is (x+)?, so that the first one leaves the loop, as in Perl.
      const skip = min === 0 ? this.emit(op.split) : undefined
      for (let count = 1; count < min; count++) this.node(item)
      const top = this.#length
      this.node(item)
      const loop = this.emit(op.split)
      this.#choose(loop, greedy, top, loop + 1)
      if (skip !== undefined) this.#choose(skip, greedy, skip + 1, loop + 1)
    }
  }

  /** Sets the targets of a split: the item first if greedy, the rest first if lazy. */
  #choose(split: number, greedy: boolean, item: number, after: number): void {
    this.xs[split] = greedy ? item : after
    this.ys[split] = greedy ? after : item
  }

  #atomic(body: () => void): void {
    const atomic = this.emit(op.atomic)
    body()
    this.emit(op.match)
    this.ys[atomic] = this.#length
  }

  #look(node: Extract<Node, { kind: 'look' }>): void {
    const branches: { at: number; back: number }[] = []
    const look = this.emit(op.look, this.looks.push({ negative: node.negative, branches }) - 1)
    for (const { item, back } of node.branches) {
      branches.push({ at: this.#length, back })
      this.node(item)
      this.emit(op.match)
    }
    this.ys[look] = this.#length
  }
}
