import { regexLimits } from '../kit/limits.ts'
import { edge, lineFeedByte, otherByte, wordByte } from './context.ts'
import { type Evictable, MemoryPool } from './dfa-memory.ts'
import type { Stepper } from './stepper.ts'
import { countWork } from './work.ts'

/** What `regexLimits` says of one automaton. */
export type DfaLimits = Readonly<Record<'dfaStatesMax' | 'dfaStatesPerScanMax' | 'dfaBytesMax', number>>

/** Of all automata of the process. */
const memory = new MemoryPool(regexLimits.dfaBytesTotalMax)

/** States that stand for an outcome (0: not known yet); those after them have a kernel. Written as number · width. */
const dead = 1
const accept = 2
const firstReal = 3
/** States in which nothing has begun, one for each kind of byte before. */
const freshKinds = [edge, lineFeedByte, wordByte, otherByte]
const firstBusy = firstReal + freshKinds.length

/** Numbers kept of each state: its kernel's place and length, byte before, hash, loops to itself, verdict at the end. */
const fields = 6
const kernelStart = 0
const kernelLength = 1
const byteBefore = 2
const hashOf = 3
const loops = 4
/** 0 while it is not known, 1 for no match, 2 for a match. */
const atEnd = 5

/** The states of a lazy automaton that were needed so far, and its transition table. */
export class StateCache implements Evictable {
  /** State + class → state; 0 when it is not known yet. A new array when it grows. */
  table: Int32Array = new Int32Array(0)
  /** States below stand for an outcome, those from here up to `firstBusy` for "nothing has begun". */
  readonly firstReal: number
  readonly firstBusy: number
  readonly dead: number
  readonly accept: number
  /** States made since ever. */
  made = 0

  readonly #stepper: Stepper
  readonly #width: number
  readonly #limits: DfaLimits
  readonly #tellBytes: (bytes: number) => void
  #states: Int32Array = new Int32Array(0)
  #count = 0
  /** The kernels, one after another. */
  #kernels: Int32Array = new Int32Array(0)
  #kernelsLength = 0
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
    this.#kernelsLength = 0
  }

  /** The state in which a search begins. @param before kind of the byte before it */
  start(before: number): number {
    if (this.#count === 0) this.#addFirst()
    if (!this.#stepper.anchored) return (firstReal + before) * this.#width
    return before === edge ? this.#anchoredStart : this.dead
  }

  /**
   * Works out one transition and remembers it.
   * @param madeBefore `made` when the scan began
   * @returns the state, or 0 when the scan has made too many: then the kernel is in the stepper's `reached`
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
          // The state that is being left is gone after this, so the transition is not written down.
          const kernel = this.#stepper.reached.slice(0, length)
          this.empty()
          this.#addFirst()
          this.#stepper.reached.set(kernel)
          return this.#add(hash, length, before)
        }
        next = this.#add(hash, length, before)
      }
      this.table[state + cls] = next
      if (next === state) return this.#looped(state)
    }
    return this.table[state + cls]!
  }

  matchesAtEnd(state: number): boolean {
    const place = (state / this.#width) * fields
    if (this.#states[place + atEnd] === 0) {
      const start = this.#states[place + kernelStart]!
      const end = start + this.#states[place + kernelLength]!
      const matches = this.#stepper.matchesAtEnd(this.#kernels, start, end, this.#states[place + byteBefore]!)
      this.#states[place + atEnd] = matches ? 2 : 1
    }
    return this.#states[place + atEnd] === 2
  }

  #step(state: number, cls: number): number {
    const place = (state / this.#width) * fields
    const start = this.#states[place + kernelStart]!
    const end = start + this.#states[place + kernelLength]!
    return this.#stepper.step(this.#kernels, start, end, this.#states[place + byteBefore]!, cls)
  }

  /** A state that no byte leaves is as good as its outcome. */
  #looped(state: number): number {
    const place = (state / this.#width) * fields + loops
    const count = this.#states[place]! + 1
    this.#states[place] = count
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

  /** The order of a kernel does not count. */
  #hash(length: number, before: number): number {
    const { reached } = this.#stepper
    let hash = before
    for (let index = 0; index < length; index++) {
      const mixed = Math.imul(reached[index]! + 1, 0x9e3779b1)
      hash = (hash + (mixed ^ (mixed >>> 15))) | 0
    }
    return hash
  }

  /** The state of the kernel in `reached`; 0 when there is none. */
  #find(hash: number, length: number, before: number): number {
    const mask = this.#buckets.length - 1
    for (let bucket = hash & mask; this.#buckets[bucket] !== 0; bucket = (bucket + 1) & mask) {
      const number = this.#buckets[bucket]!
      const place = number * fields
      if (
        this.#states[place + hashOf] === hash &&
        this.#states[place + kernelLength] === length &&
        this.#states[place + byteBefore] === before &&
        this.#isReached(this.#states[place + kernelStart]!, length)
      )
        return number * this.#width
    }
    return 0
  }

  #isReached(start: number, length: number): boolean {
    for (let index = start; index < start + length; index++)
      if (!this.#stepper.hasReached(this.#kernels[index]!)) return false
    return true
  }

  /** Makes a state of the kernel in `reached`. */
  #add(hash: number, length: number, before: number): number {
    const { reached } = this.#stepper
    if (this.#kernelsLength + length > this.#kernels.length) {
      this.#kernels = grown(this.#kernels, this.#kernelsLength + length)
      this.#report()
    }
    for (let index = 0; index < length; index++) this.#kernels[this.#kernelsLength + index] = reached[index]!
    const number = this.#addState(length, before, hash)
    this.#kernelsLength += length
    if (2 * this.#count > this.#buckets.length) this.#rehash()
    else this.#place(number, hash)
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
    const place = number * fields
    this.#states[place + kernelStart] = this.#kernelsLength
    this.#states[place + kernelLength] = length
    this.#states[place + byteBefore] = before
    this.#states[place + hashOf] = hash
    return number
  }

  #place(number: number, hash: number): void {
    const mask = this.#buckets.length - 1
    let bucket = hash & mask
    while (this.#buckets[bucket] !== 0) bucket = (bucket + 1) & mask
    this.#buckets[bucket] = number
  }

  #rehash(): void {
    this.#buckets = new Int32Array(this.#buckets.length * 2)
    for (let number = firstBusy; number < this.#count; number++)
      this.#place(number, this.#states[number * fields + hashOf]!)
  }

  #isFull(length: number): boolean {
    return (
      this.#count >= this.#limits.dfaStatesMax ||
      this.#kernelsLength + length + this.#count * this.#width > this.#limits.dfaBytesMax / 4
    )
  }

  #allocate(states: number, kernels: number, buckets: number): void {
    this.#states = new Int32Array(states * fields)
    this.table = new Int32Array(states * this.#width)
    this.#kernels = new Int32Array(kernels)
    this.#buckets = new Int32Array(buckets)
    this.#report()
  }

  #report(): void {
    const numbers = this.table.length + this.#states.length + this.#kernels.length + this.#buckets.length
    this.#tellBytes(4 * numbers)
  }
}

/** At least twice as long, with the same beginning. */
function grown(array: Int32Array, least: number): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(Math.max(2 * array.length, least))
  longer.set(array)
  return longer
}
