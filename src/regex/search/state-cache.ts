import { edge, lineFeedByte, otherByte, wordByte } from '../automaton/context.ts'
import { regexLimits } from '../limits.ts'
import { countWork } from '../work.ts'
import { type Evictable, MemoryPool } from './dfa-memory.ts'
import type { Stepper } from './stepper.ts'

/** The `regexLimits` of one automaton. */
export type DfaLimits = Readonly<Record<'dfaStatesMax' | 'dfaStatesPerScanMax' | 'dfaBytesMax', number>>

/** For all automata of the process. */
const memory = new MemoryPool(regexLimits.dfaBytesTotalMax)

/** States with a fixed outcome (0: not known yet); each later state has a set of threads. Written as number · width. */
const dead = 1
const accept = 2
const firstReal = 3
/** States without a match in progress, one for each kind of previous byte. */
const freshKinds = [edge, lineFeedByte, wordByte, otherByte]
const firstBusy = firstReal + freshKinds.length

/** Row of a state: start and number of its threads, previous byte, hash, loops to itself, verdict at the end. */
const fields = 6
const threadsStart = 0
const threadCount = 1
const byteBefore = 2
const hashOf = 3
const loops = 4
/** 0 while not known, 1 for no match, 2 for a match. */
const atEnd = 5

/** A state without its number, which stays valid when the cache is emptied. */
export interface SavedState {
  readonly threads: Int32Array
  readonly before: number
}

/** The states of a lazy automaton that were needed so far, and its transition table. */
export class StateCache implements Evictable {
  /** State + class → state; 0 if not known yet. A new array when it grows. */
  table: Int32Array = new Int32Array(0)
  /** Lower states have a fixed outcome. States from here up to `firstBusy` have no match in progress. */
  readonly firstReal: number
  readonly firstBusy: number
  readonly dead: number
  readonly accept: number
  /** States built in total. */
  made = 0

  readonly #stepper: Stepper
  readonly #width: number
  readonly #limits: DfaLimits
  readonly #tellBytes: (bytes: number) => void
  #states: Int32Array = new Int32Array(0)
  #count = 0
  /** The threads of all states, one after another. */
  #threads: Int32Array = new Int32Array(0)
  #threadsUsed = 0
  /** Hash table with open addressing: state numbers, 0 for none. */
  #buckets: Int32Array = new Int32Array(0)
  #anchoredStart = 0

  constructor(stepper: Stepper, limits: DfaLimits) {
    this.#stepper = stepper
    this.#limits = limits
    this.#width = stepper.width
    this.firstReal = firstReal * this.#width
    this.firstBusy = firstBusy * this.#width
    this.dead = dead * this.#width
    this.accept = accept * this.#width
    this.#tellBytes = memory.join(this)
  }

  empty(): void {
    this.#allocate(0, 0, 0)
    this.#count = 0
    this.#threadsUsed = 0
  }

  /** The state in which a search begins. @param before kind of the previous byte */
  start(before: number): number {
    if (this.#count === 0) this.#addFirst()
    if (!this.#stepper.anchored) return (firstReal + before) * this.#width
    return before === edge ? this.#anchoredStart : this.dead
  }

  /**
   * Computes one transition and stores it.
   * @param madeBefore `made` when the scan began
   * @returns the state, or 0 if the scan has built too many: then the threads are in the stepper's `reached`
   * @throws WorkExceededError
   */
  extend(state: number, cls: number, madeBefore: number): number {
    const length = this.#step(state, cls)
    countWork(this.#stepper.takeWork())
    const before = this.#stepper.kindOf(cls)
    if (length < 0) this.table[state + cls] = this.accept
    else if (length === 0)
      this.table[state + cls] = this.#stepper.anchored ? this.dead : (firstReal + before) * this.#width
    else {
      const hash = this.#hash(length, before)
      let next = this.#find(hash, length, before)
      if (next === 0) {
        if (this.made - madeBefore >= this.#limits.dfaStatesPerScanMax) return 0
        if (this.#isFull(length)) {
          // The previous state is gone after this, so the transition is not stored.
          const threads = this.#stepper.reached.slice(0, length)
          this.empty()
          this.#addFirst()
          this.#stepper.reached.set(threads)
          return this.#add(hash, length, before)
        }
        next = this.#add(hash, length, before)
      }
      this.table[state + cls] = next
      if (next === state) return this.#looped(state)
    }
    return this.table[state + cls]!
  }

  /** Saves a state, because others may use the cache in a pause. */
  snapshot(state: number): SavedState {
    const row = (state / this.#width) * fields
    const start = this.#states[row + threadsStart]!
    const threads = this.#threads.slice(start, start + this.#states[row + threadCount]!)
    return { threads, before: this.#states[row + byteBefore]! }
  }

  /** The number of a saved state. */
  stateOf({ threads, before }: SavedState): number {
    if (this.#count === 0) this.#addFirst()
    if (threads.length === 0) return (firstReal + before) * this.#width
    this.#stepper.reach(threads)
    const hash = this.#hash(threads.length, before)
    const known = this.#find(hash, threads.length, before)
    if (known !== 0) return known
    if (this.#isFull(threads.length)) {
      this.empty()
      this.#addFirst()
      this.#stepper.reach(threads)
    }
    return this.#add(hash, threads.length, before)
  }

  matchesAtEnd(state: number): boolean {
    const row = (state / this.#width) * fields
    if (this.#states[row + atEnd] === 0) {
      const start = this.#states[row + threadsStart]!
      const end = start + this.#states[row + threadCount]!
      const matches = this.#stepper.matchesAtEnd(this.#threads, start, end, this.#states[row + byteBefore]!)
      this.#states[row + atEnd] = matches ? 2 : 1
    }
    return this.#states[row + atEnd] === 2
  }

  #step(state: number, cls: number): number {
    const row = (state / this.#width) * fields
    const start = this.#states[row + threadsStart]!
    const end = start + this.#states[row + threadCount]!
    return this.#stepper.step(this.#threads, start, end, this.#states[row + byteBefore]!, cls)
  }

  /** A state that no byte leaves equals its outcome. */
  #looped(state: number): number {
    const row = (state / this.#width) * fields + loops
    const count = this.#states[row]! + 1
    this.#states[row] = count
    if (count < this.#width) return state
    const outcome = this.matchesAtEnd(state) ? this.accept : this.dead
    this.table.fill(outcome, state, state + this.#width)
    return outcome
  }

  #addFirst(): void {
    this.#allocate(16, 64, 64)
    this.#count = firstReal
    for (const before of freshKinds) this.#addState(0, before, 0)
    if (!this.#stepper.anchored) return
    const length = this.#stepper.begin()
    this.#anchoredStart = this.#add(0, length, edge)
  }

  /** The order of threads does not count. */
  #hash(length: number, before: number): number {
    const { reached } = this.#stepper
    let hash = before
    for (let index = 0; index < length; index++) {
      const mixed = Math.imul(reached[index]! + 1, 0x9e3779b1)
      hash = (hash + (mixed ^ (mixed >>> 15))) | 0
    }
    return hash
  }

  /** The state of the threads in `reached`; 0 if there is none. */
  #find(hash: number, length: number, before: number): number {
    const mask = this.#buckets.length - 1
    for (let bucket = hash & mask; this.#buckets[bucket] !== 0; bucket = (bucket + 1) & mask) {
      const number = this.#buckets[bucket]!
      const row = number * fields
      if (
        this.#states[row + hashOf] === hash &&
        this.#states[row + threadCount] === length &&
        this.#states[row + byteBefore] === before &&
        this.#isReached(this.#states[row + threadsStart]!, length)
      )
        return number * this.#width
    }
    return 0
  }

  #isReached(start: number, length: number): boolean {
    for (let index = start; index < start + length; index++)
      if (!this.#stepper.hasReached(this.#threads[index]!)) return false
    return true
  }

  /** Builds a state of the threads in `reached`. */
  #add(hash: number, length: number, before: number): number {
    const { reached } = this.#stepper
    if (this.#threadsUsed + length > this.#threads.length) {
      this.#threads = grown(this.#threads, this.#threadsUsed + length)
      this.#report()
    }
    for (let index = 0; index < length; index++) this.#threads[this.#threadsUsed + index] = reached[index]!
    const number = this.#addState(length, before, hash)
    this.#threadsUsed += length
    if (2 * this.#count > this.#buckets.length) this.#rehash()
    else this.#insert(number, hash)
    this.made++
    return number * this.#width
  }

  #addState(length: number, before: number, hash: number): number {
    const number = this.#count++
    if (this.#count * fields > this.#states.length) {
      this.#states = grown(this.#states, this.#count * fields)
      this.table = grown(this.table, (this.#states.length / fields) * this.#width)
      this.#report()
    }
    const row = number * fields
    this.#states[row + threadsStart] = this.#threadsUsed
    this.#states[row + threadCount] = length
    this.#states[row + byteBefore] = before
    this.#states[row + hashOf] = hash
    return number
  }

  #insert(number: number, hash: number): void {
    const mask = this.#buckets.length - 1
    let bucket = hash & mask
    while (this.#buckets[bucket] !== 0) bucket = (bucket + 1) & mask
    this.#buckets[bucket] = number
  }

  #rehash(): void {
    this.#buckets = new Int32Array(this.#buckets.length * 2)
    for (let number = firstBusy; number < this.#count; number++)
      this.#insert(number, this.#states[number * fields + hashOf]!)
  }

  #isFull(length: number): boolean {
    return (
      this.#count >= this.#limits.dfaStatesMax ||
      this.#threadsUsed + length + this.#count * this.#width > this.#limits.dfaBytesMax / 4
    )
  }

  #allocate(states: number, threads: number, buckets: number): void {
    this.#states = new Int32Array(states * fields)
    this.table = new Int32Array(states * this.#width)
    this.#threads = new Int32Array(threads)
    this.#buckets = new Int32Array(buckets)
    this.#report()
  }

  #report(): void {
    const numbers = this.table.length + this.#states.length + this.#threads.length + this.#buckets.length
    this.#tellBytes(4 * numbers)
  }
}

/** At least twice as long, with the same beginning. */
function grown(array: Int32Array, least: number): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(Math.max(2 * array.length, least))
  longer.set(array)
  return longer
}
