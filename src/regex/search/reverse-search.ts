import { edge, neighbourOf } from '../automaton/context.ts'
import { type Nfa, op } from '../automaton/nfa.ts'
import { stepTables } from '../automaton/step-tables.ts'
import { countWork, sliceWork, workDone } from '../work.ts'

/**
 * Finds the same as `PikeSearch` in a long input, with one table look-up per byte. An automaton of sets reads the
 * input from its end to its beginning. At each position, it notes the instructions from which a match can be
 * completed. The leftmost match begins at the first position from which the whole pattern can be. From there the path
 * is determined: each choice takes the first instruction that can complete a match, as Perl would.
 *
 * For one input at a time; its states are kept for the next.
 */
export class ReverseSearch {
  readonly #nfa: Nfa
  readonly #classes: Uint8Array
  readonly #kinds: Uint8Array
  readonly #holds: Uint8Array
  readonly #contexts: Int32Array
  readonly #width: number
  /**
   * Predecessors of an instruction that consume nothing: instructions from `#leadsFrom[i]` up to before
   * `#leadsFrom[i + 1]`.
   */
  readonly #leadsFrom: Int32Array
  readonly #leads: Int32Array
  /** By class: the instructions that consume a byte of it. */
  readonly #consuming: (Int32Array | undefined)[]
  /** A class of bytes of each kind, and of the end, stands for all, unless `op.next` needs the byte itself. */
  readonly #looksAhead: boolean
  readonly #states: State[] = []
  readonly #byKey = new Map<string, number>()
  /** State · width + class before → 2 · (next state + 1), plus 1 if a match can begin in between; 0: not known yet. */
  #table: Int32Array
  readonly #steps = new Map<number, Step>()
  readonly #reached: Uint32Array
  #mark = 0
  readonly #pending: Int32Array

  constructor(nfa: Nfa) {
    const { classes, kinds, holds, contexts } = nfa.tables ?? stepTables(nfa)
    this.#nfa = nfa
    this.#classes = classes
    this.#kinds = kinds
    this.#holds = holds
    this.#contexts = contexts
    this.#width = kinds.length
    this.#consuming = new Array<undefined>(this.#width).fill(undefined)
    this.#looksAhead = nfa.ops.includes(op.next)
    ;[this.#leadsFrom, this.#leads] = leadsOf(nfa)
    this.#reached = new Uint32Array(nfa.size)
    this.#pending = new Int32Array(2 * nfa.size + 2)
    this.#table = new Int32Array(16 * this.#width)
    this.#intern([], none)
  }

  /**
   * With pauses, in which others may use it.
   * @returns slots of the captures, null without a match, undefined if there are too many states
   * @throws WorkExceededError
   */
  *execInSlices(
    input: string,
    from: number,
    bytes = sliceBytes,
  ): Generator<void, Int32Array | null | undefined, void> {
    const { length } = input
    const states = new Uint16Array(length - from + 1)
    let first = -1
    let sliceEnds = workDone() + sliceWork
    for (let at = length; at > from; ) {
      const until = Math.max(from, at - bytes)
      const reached = goBack(input, at, from, until, this.#table, this.#classes, this.#width, states, first)
      countWork((at - reached) >> 2)
      at = reached
      first = lastFirst
      if (at === from) break
      if (at > until && this.#extend(states[at - from]!, this.#classes[input.charCodeAt(at - 1)]!) === 0)
        return undefined
      if (at > until && workDone() <= sliceEnds) continue
      yield
      sliceEnds = workDone() + sliceWork
    }
    this.#markReached(states[0]!, from === 0 ? edge : neighbourOf[input.charCodeAt(from - 1)]!)
    if (this.#reached[0] === this.#mark) first = from
    return first < 0 ? null : yield* this.#walk(input, first, states, from, bytes)
  }

  /** Follows the one path from a position where a match begins. */
  *#walk(
    input: string,
    first: number,
    states: Uint16Array,
    from: number,
    bytes: number,
  ): Generator<void, Int32Array, void> {
    const slots = new Int32Array(2 * (this.#nfa.groups + 1)).fill(-1)
    let instruction = 0
    let lastKey = -1
    let step: Step | undefined
    for (let at = first; ; at++) {
      if (at > first && (at - first) % bytes === 0) {
        countWork(bytes)
        yield
      }
      const state = states[at - from]!
      const before = at === 0 ? edge : neighbourOf[input.charCodeAt(at - 1)]!
      const key = (instruction * statesKept + state) * 4 + before
      // Most bytes are turns of one loop.
      if (step === undefined || key !== lastKey) {
        step = this.#steps.get(key)
        if (step === undefined) {
          step = this.#step(instruction, state, before)
          if (this.#steps.size < stepsOfSlice) this.#steps.set(key, step)
        }
        lastKey = key
      }
      for (const slot of step.saves) slots[slot] = at
      if (step.next < 0) return slots
      instruction = step.next
    }
  }

  /** The first path from an instruction, in order of priority, that can complete a match. */
  #step(first: number, state: number, before: number): Step {
    const { ops, xs, ys } = this.#nfa
    const { threads } = this.#states[state]!
    const pending = this.#pending
    this.#newMark()
    const saves: number[] = []
    let depth = 0
    let at = first
    for (;;) {
      let goesOn = false
      if (this.#reached[at] !== this.#mark) {
        this.#reached[at] = this.#mark
        const operation = ops[at]
        if (operation === op.match) return { saves, next: -1 }
        if (operation === op.set) {
          if (threads.includes(at)) return { saves, next: at + 1 }
        } else if (operation === op.jump) {
          at = xs[at]!
          goesOn = true
        } else if (operation === op.split) {
          pending[depth++] = ys[at]!
          at = xs[at]!
          goesOn = true
        } else if (operation === op.save) {
          saves.push(xs[at]!)
          pending[depth++] = takeBack
          at++
          goesOn = true
        } else if (this.#passes(at, before, state)) {
          at++
          goesOn = true
        }
      }
      if (goesOn) continue
      while (pending[depth - 1] === takeBack) {
        saves.pop()
        depth--
      }
      at = pending[--depth]!
    }
  }

  /** @returns the entry of the table; 0 if there are too many states */
  #extend(state: number, cls: number): number {
    this.#markReached(state, this.#kinds[cls]!)
    this.#consuming[cls] ??= this.#consumersOf(cls)
    const consuming = this.#consuming[cls]
    const threads: number[] = []
    for (const at of consuming) if (this.#reached[at + 1] === this.#mark) threads.push(at)
    countWork(consuming.length)
    const next = this.#intern(threads, cls)
    if (next < 0) return 0
    const entry = 2 * (next + 1) + (this.#reached[0] === this.#mark ? 1 : 0)
    this.#table[state * this.#width + cls] = entry
    return entry
  }

  #consumersOf(cls: number): Int32Array {
    const { size, ops, xs } = this.#nfa
    const consumers: number[] = []
    for (let at = 0; at < size; at++)
      if (ops[at] === op.set && this.#holds[xs[at]! * this.#width + cls] === 1) consumers.push(at)
    return Int32Array.from(consumers)
  }

  /** @param after class of the next byte; `none` at the end. @returns -1 if there are too many */
  #intern(threads: readonly number[], after: number): number {
    const kind = after === none ? edge : this.#kinds[after]!
    const key = `${this.#looksAhead ? after : kind} ${threads.join()}`
    const known = this.#byKey.get(key)
    if (known !== undefined) return known
    const number = this.#states.length
    if (number === statesKept) return -1
    this.#states.push({ threads: Int32Array.from(threads), after, kind })
    this.#byKey.set(key, number)
    if ((number + 1) * this.#width > this.#table.length) {
      const larger = new Int32Array(2 * this.#table.length)
      larger.set(this.#table)
      this.#table = larger
    }
    return number
  }

  /**
   * Marks all instructions from which a match can be completed at a position. @param before kind of the previous byte
   */
  #markReached(state: number, before: number): void {
    const { size } = this.#nfa
    const pending = this.#pending
    const reached = this.#reached
    const mark = this.#newMark()
    let depth = 0
    reached[size - 1] = mark
    pending[depth++] = size - 1
    for (const at of this.#states[state]!.threads) {
      reached[at] = mark
      pending[depth++] = at
    }
    let work = 0
    while (depth > 0) {
      const at = pending[--depth]!
      const end = this.#leadsFrom[at + 1]!
      for (let lead = this.#leadsFrom[at]!; lead < end; lead++) {
        work++
        const leading = this.#leads[lead]!
        if (reached[leading] === mark || !this.#passes(leading, before, state)) continue
        reached[leading] = mark
        pending[depth++] = leading
      }
    }
    countWork(work)
  }

  /** Whether an instruction that consumes nothing can be passed between two bytes. */
  #passes(at: number, before: number, state: number): boolean {
    const { ops, xs, ys } = this.#nfa
    const { after, kind } = this.#states[state]!
    if (ops[at] === op.assertion) return ((this.#contexts[xs[at]!]! >>> (4 * before + kind)) & 1) === 1
    if (ops[at] !== op.next) return true
    const isNext = after !== none && this.#holds[xs[at]! * this.#width + after] === 1
    return isNext !== (ys[at] === 1)
  }

  #newMark(): number {
    if (this.#mark === lastMark) {
      this.#reached.fill(0)
      this.#mark = 0
    }
    return ++this.#mark
  }
}

/** The positions where a match can begin, as far as `goBack` has come. */
let lastFirst = 0

/**
 * Follows known transitions; a separate function, so that the compiler makes a tight loop of it.
 * @returns the reached position; its state is in `states`
 */
function goBack(
  input: string,
  start: number,
  from: number,
  until: number,
  table: Int32Array,
  classes: Uint8Array,
  width: number,
  states: Uint16Array,
  knownFirst: number,
): number {
  let at = start
  let first = knownFirst
  let state = states[at - from]!
  while (at > until) {
    const entry = table[state * width + classes[input.charCodeAt(at - 1)]!]!
    if (entry === 0) break
    if ((entry & 1) === 1) first = at
    state = (entry >> 1) - 1
    at--
    states[at - from] = state
  }
  lastFirst = first
  return at
}

/** The class after a position, and the instructions that consume it towards a match. */
interface State {
  readonly threads: Int32Array
  readonly after: number
  readonly kind: number
}

/** The saves before the next byte, and the next instruction; below 0 for a match. */
interface Step {
  readonly saves: readonly number[]
  readonly next: number
}

const none = -1
const takeBack = -1
const statesKept = 4096
/** Bytes of one slice, if no states need to be built. */
const sliceBytes = 16 * 1024
const stepsOfSlice = 4096
const lastMark = 0xffffffff

function leadsOf({ size, ops, xs, ys }: Nfa): readonly [Int32Array, Int32Array] {
  const pairs: (readonly [to: number, from: number])[] = []
  for (let at = 0; at < size; at++) {
    if (ops[at] === op.set || ops[at] === op.match) continue
    if (ops[at] === op.jump || ops[at] === op.split) pairs.push([xs[at]!, at])
    else pairs.push([at + 1, at])
    if (ops[at] === op.split) pairs.push([ys[at]!, at])
  }
  const from = new Int32Array(size + 1)
  for (const [to] of pairs) from[to + 1]!++
  for (let at = 0; at < size; at++) from[at + 1]! += from[at]!
  const leads = new Int32Array(pairs.length)
  const filled = from.slice()
  for (const [to, at] of pairs) leads[filled[to]!++] = at
  return [from, leads]
}
