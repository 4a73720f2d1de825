import type { Assertion, Node, Pattern } from './ast.ts'
import type { ByteSet } from './byte-set.ts'
import { instructionCount } from './measure.ts'
import type { StepTables } from './step-tables.ts'

/** Operations. `x` and `y` are the operands of an instruction; it goes on at the next one unless said otherwise. */
export const op = {
  /** Consumes one byte of set `x`. */
  set: 0,
  /** Tries instruction `x`, then `y`. */
  split: 1,
  /** Goes on at `x`. */
  jump: 2,
  /** Notes the position in slot `x`. */
  save: 3,
  /** Goes on where assertion `x` holds. */
  assertion: 4,
  match: 5,
  /** Runs the branches of look-around `x`, each up to its `match`, until one holds, then goes on at `y`. */
  look: 6,
  /** Runs the instructions after it up to their `match`, then goes on at `y`. */
  atomic: 7,
  /** Goes on where the next byte is in set `x` (`y` is 0), or where there is none that is (`y` is 1). */
  next: 8,
  /** Consumes what group `x` holds; in either case when `y` is 1. */
  backreference: 9,
} as const

export interface LookAround {
  readonly negative: boolean
  readonly branches: readonly { readonly at: number; readonly back: number }[]
}

/** The instructions of a pattern, side by side in arrays of numbers. */
export interface Automaton {
  readonly size: number
  readonly ops: Uint8Array
  readonly xs: Uint16Array
  readonly ys: Uint16Array
  readonly sets: readonly ByteSet[]
  readonly assertions: readonly Assertion[]
  readonly looks: readonly LookAround[]
  readonly groups: number
  readonly backreferences: boolean
  /** Where they were worked out ahead. */
  readonly tables?: StepTables | undefined
}

/** What an automaton has besides the instructions of the pattern: two that save, one that matches. */
export const instructionsAround = 3

/** Thompson's construction; repetitions are unrolled. */
export function buildAutomaton(pattern: Pattern): Automaton {
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
        this.emit(op.assertion, this.#assertionNumber(node.what))
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

  #assertionNumber(what: Assertion): number {
    const known = this.assertions.indexOf(what)
    return known >= 0 ? known : this.assertions.push(what) - 1
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

  /** Sets the ways of a split: the item first when greedy, what follows first when lazy. */
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
