import { edge, otherByte } from '../automaton/context.ts'
import { type Nfa, op } from '../automaton/nfa.ts'
import { stepTables } from '../automaton/step-tables.ts'

/**
 * Runs all threads of a regular NFA without `\Z` in step, regardless of their priorities. A thread is an instruction
 * that was reached directly after a byte, before following instructions that consume nothing. Assertions need both
 * neighbours, so they are decided when the next byte is known.
 */
export class Stepper {
  /** See `StepTables`, as for the other fields with the same names. */
  readonly classes: Uint8Array
  /** Number of classes. */
  readonly width: number
  readonly anchored: boolean
  readonly tellsNeighbours: boolean
  readonly begins: Uint8Array
  /** The threads after `step`, in no order. */
  readonly reached: Int32Array

  readonly #nfa: Nfa
  readonly #landing: Uint16Array
  readonly #holds: Uint8Array
  readonly #contexts: Int32Array
  readonly #kinds: Uint8Array
  /** Threads that begin before a class of bytes, by 4 kinds of previous bytes; null for a match. */
  readonly #fresh: (Int32Array | null | undefined)[]
  /** Number of the step that last visited an instruction, and that last added it to the threads. */
  readonly #visited: Uint32Array
  readonly #added: Uint32Array
  readonly #pending: Int32Array
  #stepNumber = 0
  /** Instructions visited since the last `takeWork`. */
  #work = 0
  /** Number of threads in `reached`. */
  count = 0

  constructor(nfa: Nfa) {
    const { size, tables = stepTables(nfa) } = nfa
    this.#nfa = nfa
    this.classes = tables.classes
    this.width = tables.kinds.length
    this.anchored = tables.anchored
    this.tellsNeighbours = tables.tellsNeighbours
    this.begins = tables.begins
    this.#landing = tables.landing
    this.#holds = tables.holds
    this.#contexts = tables.contexts
    this.#kinds = tables.kinds
    this.#fresh = new Array<undefined>(4 * this.width).fill(undefined)
    this.#visited = new Uint32Array(size)
    this.#added = new Uint32Array(size)
    this.#pending = new Int32Array(size + 2)
    this.reached = new Int32Array(size)
  }

  /** Puts the threads of a new search into `reached`. @returns their number */
  begin(): number {
    if (!this.anchored) return 0
    this.reached[0] = this.#landing[0]!
    return 1
  }

  /** The kind of a class's bytes for the assertions after it. */
  kindOf(cls: number): number {
    return this.tellsNeighbours ? this.#kinds[cls]! : otherByte
  }

  /**
   * Moves threads over one byte, into `reached`. O(NFA).
   * @param threads from `start` to `end`
   * @param before kind of the previous byte
   * @returns number of threads reached, -1 for a match
   */
  step(threads: Int32Array, start: number, end: number, before: number, cls: number): number {
    this.#newStep()
    if (!this.anchored && !this.#addFresh(before, cls)) return -1
    for (let index = start; index < end; index++) if (!this.#follow(threads[index]!, before, cls)) return -1
    return this.count
  }

  /** @returns instructions visited since the last call */
  takeWork(): number {
    const work = this.#work
    this.#work = 0
    return work
  }

  /** Whether there is a match if the text ends here. */
  matchesAtEnd(threads: Int32Array, start: number, end: number, before: number): boolean {
    this.#newStep()
    if (!this.anchored && this.#matchesFrom(this.#landing[0]!, before)) return true
    for (let index = start; index < end; index++) if (this.#matchesFrom(threads[index]!, before)) return true
    return false
  }

  /** Sets the threads, as if a step had reached them. */
  reach(threads: Int32Array): void {
    this.#newStep()
    for (const instruction of threads) {
      this.#added[instruction] = this.#stepNumber
      this.reached[this.count++] = instruction
    }
  }

  /** Whether the last step reached an instruction. */
  hasReached(instruction: number): boolean {
    return this.#added[instruction] === this.#stepNumber
  }

  #newStep(): void {
    this.#stepNumber = (this.#stepNumber + 1) >>> 0
    if (this.#stepNumber === 0) {
      this.#visited.fill(0)
      this.#added.fill(0)
      this.#stepNumber = 1
    }
    this.count = 0
  }

  /** Adds the threads that begin before the byte; they are many and always the same. @returns false for a match */
  #addFresh(before: number, cls: number): boolean {
    const known = this.#fresh[before * this.width + cls]
    if (known === null) return false
    if (known === undefined) {
      const goesOn = this.#follow(this.#landing[0]!, before, cls)
      this.#fresh[before * this.width + cls] = goesOn ? this.reached.slice(0, this.count) : null
      return goesOn
    }
    for (let index = 0; index < known.length; index++) {
      this.reached[index] = known[index]!
      this.#added[known[index]!] = this.#stepNumber
    }
    this.count = known.length
    // Copying one is a fraction of following it.
    this.#work += known.length >> 2
    return true
  }

  /** Follows one thread up to the byte and over it. @returns false for a match */
  #follow(first: number, before: number, cls: number): boolean {
    const { ops, xs, ys } = this.#nfa
    const landing = this.#landing
    const visited = this.#visited
    const pending = this.#pending
    const stepNumber = this.#stepNumber
    const context = 4 * before + this.#kinds[cls]!
    let depth = 0
    let at = first
    for (;;) {
      let goesOn = false
      this.#work++
      if (visited[at] !== stepNumber) {
        visited[at] = stepNumber
        const operation = ops[at]
        if (operation === op.set) {
          if (this.#holds[xs[at]! * this.width + cls] === 1 && !this.#reach(landing[at + 1]!)) return false
        } else if (operation === op.split) {
          pending[depth++] = landing[ys[at]!]!
          at = landing[xs[at]!]!
          goesOn = true
        } else if (operation === op.assertion) {
          goesOn = ((this.#contexts[xs[at]!]! >>> context) & 1) === 1
          at = landing[at + 1]!
        } else if (operation === op.next) {
          goesOn = this.#holds[xs[at]! * this.width + cls] !== ys[at]
          at = landing[at + 1]!
        } else return false
      }
      if (goesOn) continue
      if (depth === 0) return true
      at = pending[--depth]!
    }
  }

  /** Adds a thread. @returns false if it is the match: the next byte does not matter then */
  #reach(instruction: number): boolean {
    if (this.#nfa.ops[instruction] === op.match) return false
    if (this.#added[instruction] !== this.#stepNumber) {
      this.#added[instruction] = this.#stepNumber
      this.reached[this.count++] = instruction
    }
    return true
  }

  #matchesFrom(first: number, before: number): boolean {
    const { ops, xs, ys } = this.#nfa
    let depth = 0
    this.#pending[depth++] = first
    while (depth > 0) {
      const at = this.#pending[--depth]!
      if (this.#visited[at] === this.#stepNumber) continue
      this.#visited[at] = this.#stepNumber
      if (ops[at] === op.match) return true
      if (ops[at] === op.split) {
        this.#pending[depth++] = this.#landing[ys[at]!]!
        this.#pending[depth++] = this.#landing[xs[at]!]!
      } else if (ops[at] === op.next) {
        if (ys[at] === 1) this.#pending[depth++] = this.#landing[at + 1]!
      } else if (ops[at] === op.assertion && ((this.#contexts[xs[at]!]! >>> (4 * before + edge)) & 1) === 1)
        this.#pending[depth++] = this.#landing[at + 1]!
    }
    return false
  }
}
