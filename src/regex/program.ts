import { regexLimits } from '../kit/limits.ts'
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
  /** Runs the instructions after it up to their `match`, then goes on at `next`. */
  | {
      readonly op: 'look'
      readonly lengths: readonly number[] | undefined
      readonly negative: boolean
      next: number
    }
  | { readonly op: 'atomic'; next: number }
  | { readonly op: 'backreference'; readonly index: number; readonly caseInsensitive: boolean }

export interface Automaton {
  readonly code: readonly Instruction[]
  readonly groups: number
  /** False when some instruction is beyond regular languages. */
  readonly regular: boolean
  readonly backreferences: boolean
}

/** Thrown when a pattern needs more instructions than `regexLimits.instructionsMax`, or a look-behind has no fixed length. */
export class AutomatonFault extends Error {
  readonly code: 'too-large' | 'unsupported'
  constructor(code: 'too-large' | 'unsupported', message: string) {
    super(message)
    this.code = code
  }
}

/** Thompson's construction; repetitions are unrolled. Size is bounded. */
export function buildAutomaton(pattern: Pattern): Automaton {
  const builder = new Builder()
  builder.emit({ op: 'save', slot: 0 })
  builder.node(pattern.root)
  builder.emit({ op: 'save', slot: 1 })
  builder.emit({ op: 'match' })
  return {
    code: builder.code,
    groups: pattern.groups,
    regular: builder.regular,
    backreferences: builder.backreferences,
  }
}

class Builder {
  readonly code: Instruction[] = []
  regular = true
  backreferences = false

  emit<T extends Instruction>(instruction: T): T {
    if (this.code.length >= regexLimits.instructionsMax)
      throw new AutomatonFault(
        'too-large',
        `the pattern needs more than ${regexLimits.instructionsMax} states`,
      )
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
        if (node.mode === 'possessive') this.#atomic({ ...node, mode: 'greedy' })
        else this.#repeat(node.item, node.min, node.max, node.mode === 'greedy')
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
        this.#atomic(node.item)
        return
      case 'backreference':
        this.regular = false
        this.backreferences = true
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

  #repeat(item: Node, min: number, max: number, greedy: boolean): void {
    for (let count = 0; count < min; count++) this.node(item)
    if (max === Number.POSITIVE_INFINITY) {
      const split = this.#fork(greedy)
      this.node(item)
      this.emit({ op: 'jump', to: split.at })
      split.leave(this.code.length)
      return
    }
    const splits = []
    for (let count = min; count < max; count++) {
      splits.push(this.#fork(greedy))
      this.node(item)
    }
    for (const split of splits) split.leave(this.code.length)
  }

  /** A choice between the item that follows and leaving. */
  #fork(greedy: boolean): { at: number; leave: (to: number) => void } {
    const at = this.code.length
    const split = this.emit({ op: 'split', first: at + 1, second: at + 1 })
    return {
      at,
      leave: to => {
        if (greedy) split.second = to
        else split.first = to
      },
    }
  }

  #atomic(item: Node): void {
    this.regular = false
    const atomic = this.emit({ op: 'atomic', next: 0 })
    this.node(item)
    this.emit({ op: 'match' })
    atomic.next = this.code.length
  }

  #look(node: Extract<Node, { kind: 'look' }>): void {
    this.regular = false
    const lengths = node.behind ? fixedLengths(node.item) : undefined
    const look = this.emit({ op: 'look', lengths, negative: node.negative, next: 0 })
    this.node(node.item)
    this.emit({ op: 'match' })
    look.next = this.code.length
  }
}

/** The lengths that a look-behind may have: one an alternative, as in PCRE. */
function fixedLengths(node: Node): readonly number[] {
  const alternatives = node.kind === 'alternatives' ? node.items : [node]
  return [...new Set(alternatives.map(fixedLength))]
}

function fixedLength(node: Node): number {
  switch (node.kind) {
    case 'set':
      return 1
    case 'concat':
      return node.items.reduce((sum, item) => sum + fixedLength(item), 0)
    case 'group':
    case 'atomic':
      return fixedLength(node.item)
    case 'repeat':
      if (node.min === node.max) return node.min * fixedLength(node.item)
      break
    case 'alternatives': {
      const lengths = new Set(node.items.map(fixedLength))
      if (lengths.size === 1) return [...lengths][0]!
      break
    }
    case 'empty':
    case 'assertion':
    case 'look':
      return 0
    case 'backreference':
      break
  }
  throw new AutomatonFault('unsupported', 'a look-behind needs a fixed length')
}
