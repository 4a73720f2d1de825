import { holdsAt, isNext } from './context.ts'
import { type Automaton, op } from './program.ts'
import { countWork } from './work.ts'

/**
 * Finds the leftmost match with Perl's priorities by running all ways in step, best first. Regular automata only.
 * O(input · instructions) time; no allocation but for the result.
 */
export class PikeSearch {
  readonly #automaton: Automaton
  readonly #begins: Uint8Array
  readonly #slotCount: number
  /** Position (from 1) at which an instruction was last added. */
  readonly #added: Int32Array
  /** What is left to follow: an instruction, or the number of a slot (as -1 - slot) and the value it had. */
  readonly #pending: Int32Array
  /** Captures of the way that is being followed. */
  readonly #current: Int32Array
  /** Instructions come to since they were counted. */
  #work = 0
  #ready: Ways
  #next: Ways

  /** @param begins 1 for bytes that a match may begin with, but for one at the start of the text */
  constructor(automaton: Automaton, begins: Uint8Array) {
    this.#automaton = automaton
    this.#begins = begins
    this.#slotCount = 2 * (automaton.groups + 1)
    this.#added = new Int32Array(automaton.size)
    this.#pending = new Int32Array(2 * automaton.size + 2)
    this.#current = new Int32Array(this.#slotCount)
    this.#ready = new Ways(this.#slotCount)
    this.#next = new Ways(this.#slotCount)
  }

  /**
   * @returns slots of the captures, or null
   * @throws WorkExceededError
   */
  exec(input: string, from: number): Int32Array | null {
    const { ops, xs, sets } = this.#automaton
    let best: Int32Array | null = null
    this.#added.fill(0)
    this.#ready.count = 0
    this.#begin(input, from)
    for (let position = from; ; position++) {
      const code = position < input.length ? input.charCodeAt(position) : -1
      this.#next.count = 0
      countWork(this.#work)
      this.#work = 0
      for (let way = 0; way < this.#ready.count; way++) {
        const at = this.#ready.at[way]!
        if (ops[at] === op.match) {
          best = this.#ready.slotsOf(way)
          break
        }
        if (code < 0 || !sets[xs[at]!]!.has(code)) continue
        this.#ready.copyTo(this.#current, way)
        this.#follow(this.#next, at + 1, input, position + 1)
      }
      if (code < 0) return best
      // Ways that began further left went first; none begins once there is a match.
      const ready = this.#next
      this.#next = this.#ready
      this.#ready = ready
      if (best !== null) {
        if (ready.count === 0) return best
      } else {
        if (ready.count === 0) position = this.#beforeNext(input, position)
        if (this.#mayBegin(input, position + 1)) this.#begin(input, position + 1)
      }
    }
  }

  #mayBegin(input: string, position: number): boolean {
    return position === input.length || this.#begins[input.charCodeAt(position)] === 1
  }

  /** The position before the next one at which a match may begin. */
  #beforeNext(input: string, position: number): number {
    let next = position + 1
    while (next < input.length && this.#begins[input.charCodeAt(next)] === 0) next++
    return next - 1
  }

  #begin(input: string, position: number): void {
    this.#current.fill(-1)
    this.#follow(this.#ready, 0, input, position)
  }

  /** Follows what consumes nothing, in order of priority. */
  #follow(ways: Ways, first: number, input: string, position: number): void {
    const { ops, xs, ys, sets, assertions } = this.#automaton
    const pending = this.#pending
    const added = this.#added
    const current = this.#current
    let depth = 0
    pending[depth++] = first
    while (depth > 0) {
      let at = pending[--depth]!
      if (at < 0) {
        current[-1 - at] = pending[--depth]!
        continue
      }
      for (;;) {
        this.#work++
        if (added[at] === position + 1) break
        added[at] = position + 1
        const operation = ops[at]
        if (operation === op.jump) at = xs[at]!
        else if (operation === op.split) {
          pending[depth++] = ys[at]!
          at = xs[at]!
        } else if (operation === op.save) {
          const slot = xs[at]!
          pending[depth++] = current[slot]!
          pending[depth++] = -1 - slot
          current[slot] = position
          at++
        } else if (operation === op.assertion) {
          if (!holdsAt(assertions[xs[at]!]!, input, position)) break
          at++
        } else if (operation === op.next) {
          if (!isNext(sets[xs[at]!]!, ys[at] === 1, input, position)) break
          at++
        } else {
          ways.add(at, current)
          break
        }
      }
    }
  }
}

/** Ways through the automaton, best first: where each stands and what it captured. */
class Ways {
  count = 0
  at: Int32Array = new Int32Array(16)
  #slots: Int32Array
  readonly #slotCount: number

  constructor(slotCount: number) {
    this.#slotCount = slotCount
    this.#slots = new Int32Array(16 * slotCount)
  }

  add(at: number, slots: Int32Array): void {
    if (this.count === this.at.length) this.#grow()
    this.at[this.count] = at
    const start = this.count * this.#slotCount
    for (let slot = 0; slot < this.#slotCount; slot++) this.#slots[start + slot] = slots[slot]!
    this.count++
  }

  copyTo(slots: Int32Array, way: number): void {
    const start = way * this.#slotCount
    for (let slot = 0; slot < this.#slotCount; slot++) slots[slot] = this.#slots[start + slot]!
  }

  slotsOf(way: number): Int32Array {
    return this.#slots.slice(way * this.#slotCount, (way + 1) * this.#slotCount)
  }

  #grow(): void {
    const at = new Int32Array(2 * this.at.length)
    at.set(this.at)
    this.at = at
    const slots = new Int32Array(2 * this.#slots.length)
    slots.set(this.#slots)
    this.#slots = slots
  }
}
