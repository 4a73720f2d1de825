import type { Assertion, Node, Pattern } from './ast.ts'
import type { ByteSet } from './byte-set.ts'

/** Instructions of the automaton. Fields that an operation does not use are absent. */
export type Instruction =
  /** Consumes one byte of the set, then goes to the next instruction. */
  | { readonly op: 'set'; readonly set: ByteSet }
  /** Tries `first`, then `second`. */
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'save'; readonly slot: number }
  | { readonly op: 'assertion'; readonly what: Assertion }
  | { readonly op: 'match' }
  /** Runs its branches, each up to its `match`, until one holds, then goes on at `next`. */
  | {
      readonly op: 'look'
      readonly negative: boolean
      readonly branches: readonly { readonly at: number; readonly back: number }[]
      next: number
    }
  /** Runs the instructions after it up to their `match`, then goes on at `next`. */
  | { readonly op: 'atomic'; next: number }
  | { readonly op: 'backreference'; readonly index: number; readonly caseInsensitive: boolean }

export interface Automaton {
  readonly code: readonly Instruction[]
  readonly groups: number
  readonly backreferences: boolean
}

/** Thompson's construction; repetitions are unrolled. The size is that of `instructionCount`, and 3 for the whole. */
export function buildAutomaton(pattern: Pattern): Automaton {
  const builder = new Builder()
  builder.emit({ op: 'save', slot: 0 })
  builder.node(pattern.root)
  builder.emit({ op: 'save', slot: 1 })
  builder.emit({ op: 'match' })
  return { code: builder.code, groups: pattern.groups, backreferences: pattern.backreferences }
}

class Builder {
  readonly code: Instruction[] = []

  emit<T extends Instruction>(instruction: T): T {
    this.code.push(instruction)
    return instruction
  }

  node(node: Node): void {
    switch (node.kind) {
      case 'empty':
        return
      case 'set':
        this.emit({ op: 'set', set: node.set })
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
        this.emit({ op: 'save', slot: 2 * node.index })
        this.node(node.item)
        this.emit({ op: 'save', slot: 2 * node.index + 1 })
        return
      case 'assertion':
        this.emit({ op: 'assertion', what: node.what })
        return
      case 'look':
        this.#look(node)
        return
      case 'atomic':
        this.#atomic(() => this.node(node.item))
        return
      case 'backreference':
        this.emit({ op: 'backreference', index: node.index, caseInsensitive: node.caseInsensitive })
    }
  }

  #alternatives(items: readonly Node[]): void {
    const exits: { to: number }[] = []
    for (const [index, item] of items.entries()) {
      if (index === items.length - 1) {
        this.node(item)
        break
      }
      const split = this.emit({ op: 'split', first: this.code.length + 1, second: 0 })
      this.node(item)
      exits.push(this.emit({ op: 'jump', to: 0 }))
      split.second = this.code.length
    }
    for (const exit of exits) exit.to = this.code.length
  }

  #repeat({ item, min, max, emptyTurns }: Extract<Node, { kind: 'repeat' }>, greedy: boolean): void {
    if (max !== Number.POSITIVE_INFINITY) {
      for (let count = 0; count < min; count++) this.node(item)
      const leave = []
      for (let count = min; count < max; count++) {
        leave.push(this.#fork(greedy))
        this.node(item)
      }
      for (const exit of leave) exit(this.code.length)
    } else if (min === 0 && !emptyTurns) {
      const top = this.code.length
      const leave = this.#fork(greedy)
      this.node(item)
      this.emit({ op: 'jump', to: top })
      leave(this.code.length)
    } else {
      // With empty turns x* is (x+)?, so that the first one leaves the loop, as in Perl.
      const skip = min === 0 ? this.#fork(greedy) : undefined
      for (let count = 1; count < min; count++) this.node(item)
      const top = this.code.length
      this.node(item)
      const after = this.code.length + 1
      this.emit({ op: 'split', first: greedy ? top : after, second: greedy ? after : top })
      skip?.(after)
    }
  }

  /** A choice between the item that follows and leaving; gives the means to say where leaving leads. */
  #fork(greedy: boolean): (to: number) => void {
    const body = this.code.length + 1
    const split = this.emit({ op: 'split', first: body, second: body })
    return to => {
      if (greedy) split.second = to
      else split.first = to
    }
  }

  #atomic(body: () => void): void {
    const atomic = this.emit({ op: 'atomic', next: 0 })
    body()
    this.emit({ op: 'match' })
    atomic.next = this.code.length
  }

  #look(node: Extract<Node, { kind: 'look' }>): void {
    const branches: { at: number; back: number }[] = []
    const look = this.emit({ op: 'look', negative: node.negative, branches, next: 0 })
    for (const { item, back } of node.branches) {
      branches.push({ at: this.code.length, back })
      this.node(item)
      this.emit({ op: 'match' })
    }
    look.next = this.code.length
  }
}
