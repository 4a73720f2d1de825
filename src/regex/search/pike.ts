import { holdsAt, isNext } from '../automaton/context.ts'
import { type Nfa, op } from '../automaton/nfa.ts'
import { countWork, sliceWork, workDone } from '../work.ts'

/**
 * Finds the leftmost match with Perl's priorities by running all threads of the NFA in step, best first. Regular
 * patterns only. O(input · instructions) time; allocates only the result.
 */
export class PikeSearch {
  readonly #nfa: Nfa
  readonly #begins: Uint8Array
  readonly #slotCount: number
  /** Position (from 1) at which an instruction was last added. */
  readonly #added: Int32Array
  /** Stack of pending work: an instruction, or the number of a slot (as -1 - slot) and its old value. */
  readonly #pending: Int32Array
  /** Captures of the current thread. */
  readonly #current: Int32Array
  /** Instructions visited since the last count. */
  #work = 0
  #ready: Threads
  #next: Threads
  /** Position of the search, and the best match so far. */
  #position = 0
  #best: Int32Array | null = null

  /** @param begins 1 for bytes that may begin a match other than one at the start of the text */
  constructor(nfa: Nfa, begins: Uint8Array) {
    this.#nfa = nfa
    this.#begins = begins
    this.#slotCount = 2 * (nfa.groups + 1)
    this.#added = new Int32Array(nfa.size)
    this.#pending = new Int32Array(2 * nfa.size + 2)
    this.#current = new Int32Array(this.#slotCount)
    this.#ready = new Threads(this.#slotCount)
    this.#next = new Threads(this.#slotCount)
  }

  /**
   * @param workMax instructions after which it gives up
   * @returns slots of the captures, null without a match, undefined if it gave up
   * @throws WorkExceededError
   */
  exec(input: string, from: number): Int32Array | null
  exec(input: string, from: number, workMax: number): Int32Array | null | undefined
  exec(input: string, from: number, workMax = Number.POSITIVE_INFINITY): Int32Array | null | undefined {
    this.#start(input, from)
    return this.#goOn(input, workMax)
  }

  /** The same with pauses, in which it must not be used for another search. */
  *execInSlices(input: string, from: number, work = sliceWork): Generator<void, Int32Array | null, void> {
    this.#start(input, from)
    for (;;) {
      const found = this.#goOn(input, work)
      if (found !== undefined) return found
      yield
    }
  }

  #start(input: string, from: number): void {
    this.#best = null
    this.#position = from
    this.#added.fill(0)
    this.#ready.count = 0
    this.#begin(input, from)
  }

  /** @returns undefined if the work exceeds its bound */
  #goOn(input: string, workMax: number): Int32Array | null | undefined {
    const workEnd = workDone() + workMax
    const { ops, xs, sets } = this.#nfa
    let best = this.#best
    for (let position = this.#position; ; position++) {
      const code = position < input.length ? input.charCodeAt(position) : -1
      this.#next.count = 0
      countWork(this.#work)
      this.#work = 0
      if (workDone() > workEnd) {
        this.#position = position
        this.#best = best
        return undefined
      }
      for (let thread = 0; thread < this.#ready.count; thread++) {
        const at = this.#ready.at[thread]!
        if (ops[at] === op.match) {
          best = this.#ready.slotsOf(thread)
          break
        }
        if (code < 0 || !sets[xs[at]!]!.has(code)) continue
        this.#ready.copyTo(this.#current, thread)
        this.#follow(this.#next, at + 1, input, position + 1)
      }
      if (code < 0) return best
      // Threads that began further left run first; none begins once there is a match.
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

  /** Follows instructions that consume nothing, in order of priority. */
  #follow(threads: Threads, first: number, input: string, position: number): void {
    const { ops, xs, ys, sets, assertions } = this.#nfa
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
          threads.add(at, current)
          break
        }
      }
    }
  }
}

/** Threads of the NFA, best first: the instruction and the captures of each. */
class Threads {
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

  copyTo(slots: Int32Array, thread: number): void {
    const start = thread * this.#slotCount
    for (let slot = 0; slot < this.#slotCount; slot++) slots[slot] = this.#slots[start + slot]!
  }

  slotsOf(thread: number): Int32Array {
    return this.#slots.slice(thread * this.#slotCount, (thread + 1) * this.#slotCount)
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
