import { byteClasses } from './byte-classes.ts'
import { edge, holds, neighbourOf, otherByte } from './context.ts'
import { type Automaton, op } from './program.ts'

/**
 * Runs all ways through a regular automaton without `\Z` in step, regardless of their priorities. A set of ways is a
 * kernel: the instructions reached right after a byte, before anything that consumes nothing was followed. Assertions
 * look at both sides, so they are decided when the next byte is known.
 */
export class Stepper {
  /** Byte → class; bytes of one class are alike to every instruction. */
  readonly classes: Uint8Array
  /** Number of classes. */
  readonly width: number
  /** Does every way begin with the start of the text? Else a fresh one begins before every byte. */
  readonly anchored: boolean
  /** Does it matter of what kind the byte before a position is, besides that there is one? */
  readonly tellsNeighbours: boolean
  /** 1 for bytes that a match may begin with; all of them when a match may be empty. */
  readonly begins: Uint8Array
  /** Where `step` leaves the kernel that it reached, in no order. */
  readonly reached: Int32Array

  readonly #automaton: Automaton
  /** Instruction → the next one that decides something: jumps and saves are passed. */
  readonly #landing: Int32Array
  /** Set · width + class → 1 when the set holds the class. */
  readonly #holds: Uint8Array
  /** Assertion → bit 4 · (what stands before) + (what stands after) when it holds. */
  readonly #assertions: Uint16Array
  /** Class → what its bytes are to assertions. */
  readonly #kinds: Uint8Array
  /** Fresh ways over a class, by 4 kinds of bytes before: a kernel; null for a match. */
  readonly #fresh: (Int32Array | null | undefined)[]
  /** Number of the step that last came to an instruction, and that last added it to the kernel. */
  readonly #visited: Uint32Array
  readonly #added: Uint32Array
  readonly #pending: Int32Array
  #stepNumber = 0
  /** Length of the kernel in `reached`. */
  count = 0

  constructor(automaton: Automaton) {
    const { size, sets, assertions } = automaton
    this.#automaton = automaton
    this.#landing = landings(automaton)
    this.tellsNeighbours = assertions.some(what => what !== 'text-start' && what !== 'text-end')
    const { classes, samples } = byteClasses(sets, this.tellsNeighbours)
    this.classes = classes
    this.width = samples.length
    this.#kinds = Uint8Array.from(samples, byte => neighbourOf[byte]!)
    this.#holds = new Uint8Array(sets.length * this.width)
    for (const [number, { members }] of sets.entries())
      for (let cls = 0; cls < this.width; cls++)
        this.#holds[number * this.width + cls] = members[samples[cls]!]!
    this.#assertions = Uint16Array.from(assertions, what => contextsOf(what))
    this.#fresh = new Array<undefined>(4 * this.width).fill(undefined)
    this.#visited = new Uint32Array(size)
    this.#added = new Uint32Array(size)
    this.#pending = new Int32Array(size + 2)
    this.reached = new Int32Array(size)
    const { anchored, begins } = this.#beginnings()
    this.anchored = anchored
    this.begins = begins
  }

  /** The kernel of a search that has just begun, in `reached`. @returns its length */
  begin(): number {
    if (!this.anchored) return 0
    this.reached[0] = this.#landing[0]!
    return 1
  }

  /** What a byte of a class is to the assertions after it. */
  kindOf(cls: number): number {
    return this.tellsNeighbours ? this.#kinds[cls]! : otherByte
  }

  /**
   * From one kernel over one byte to the next, in `reached`. O(automaton).
   * @param kernel from `start` to `end` of it
   * @param before kind of the byte before
   * @returns length of the kernel reached, -1 when there is a match
   */
  step(kernel: Int32Array, start: number, end: number, before: number, cls: number): number {
    this.#newStep()
    if (!this.anchored && !this.#addFresh(before, cls)) return -1
    for (let index = start; index < end; index++) if (!this.#follow(kernel[index]!, before, cls)) return -1
    return this.count
  }

  /** Is there a match when the text ends here? */
  matchesAtEnd(kernel: Int32Array, start: number, end: number, before: number): boolean {
    this.#newStep()
    if (!this.anchored && this.#matchesFrom(this.#landing[0]!, before)) return true
    for (let index = start; index < end; index++) if (this.#matchesFrom(kernel[index]!, before)) return true
    return false
  }

  /** Is an instruction in the kernel that the last step reached? */
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

  /** The ways that begin before the byte; they are many and always the same. @returns false for a match */
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
    return true
  }

  /** Follows one way up to the byte and over it. @returns false for a match */
  #follow(first: number, before: number, cls: number): boolean {
    const { ops, xs, ys } = this.#automaton
    const landing = this.#landing
    const visited = this.#visited
    const pending = this.#pending
    const stepNumber = this.#stepNumber
    const context = 4 * before + this.#kinds[cls]!
    let depth = 0
    let at = first
    for (;;) {
      let goesOn = false
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
          goesOn = ((this.#assertions[xs[at]!]! >>> context) & 1) === 1
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

  /** Adds an instruction to the kernel. @returns false when it is the match: what follows the byte is not asked */
  #reach(instruction: number): boolean {
    if (this.#automaton.ops[instruction] === op.match) return false
    if (this.#added[instruction] !== this.#stepNumber) {
      this.#added[instruction] = this.#stepNumber
      this.reached[this.count++] = instruction
    }
    return true
  }

  #matchesFrom(first: number, before: number): boolean {
    const { ops, xs, ys } = this.#automaton
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
      } else if (ops[at] === op.assertion && ((this.#assertions[xs[at]!]! >>> (4 * before + edge)) & 1) === 1)
        this.#pending[depth++] = this.#landing[at + 1]!
    }
    return false
  }

  /** Follows all ways from the start without looking at what stands around, but for the start of the text. */
  #beginnings(): { readonly anchored: boolean; readonly begins: Uint8Array } {
    const { ops, xs, ys, sets, assertions } = this.#automaton
    const begins = new Uint8Array(256)
    const seen = new Set<number>()
    const pending = [this.#landing[0]!]
    let anchored = true
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (seen.has(at)) continue
      seen.add(at)
      if (ops[at] === op.split) pending.push(this.#landing[xs[at]!]!, this.#landing[ys[at]!]!)
      else if (ops[at] === op.next) pending.push(this.#landing[at + 1]!)
      else if (ops[at] === op.assertion) {
        // A way that begins with the start of the text is never fresh further on.
        if (assertions[xs[at]!] !== 'text-start') pending.push(this.#landing[at + 1]!)
      } else {
        anchored = false
        if (ops[at] === op.match) begins.fill(1)
        else
          sets[xs[at]!]!.members.forEach((member, byte) => {
            if (member === 1) begins[byte] = 1
          })
      }
    }
    return { anchored, begins }
  }
}

/** Passes what decides nothing. */
function landings({ size, ops, xs }: Automaton): Int32Array {
  const landing = new Int32Array(size + 1)
  for (let start = 0; start < size; start++) {
    let at = start
    while (ops[at] === op.jump || ops[at] === op.save) at = ops[at] === op.jump ? xs[at]! : at + 1
    landing[start] = at
  }
  return landing
}

/** One bit for each pair of neighbours between which an assertion holds. */
function contextsOf(what: Parameters<typeof holds>[0]): number {
  let bits = 0
  for (let before = 0; before < 4; before++)
    for (let after = 0; after < 4; after++)
      if (holds(what, before, after, false)) bits |= 1 << (4 * before + after)
  return bits
}
