import { edge, neighbourOf, otherByte } from '../automaton/context.ts'
import type { Nfa } from '../automaton/nfa.ts'
import { regexLimits } from '../limits.ts'
import { countWork, sliceWork, workDone } from '../work.ts'
import { type DfaLimits, type SavedState, StateCache } from './state-cache.ts'
import { Stepper } from './stepper.ts'

/**
 * Answers "is there a match anywhere?" for a regular NFA without `\Z`, with one table look-up per byte.
 *
 * States are built at first use, at the cost of one step of the NFA (linear in its size). If there are too many, all
 * are discarded at once. A scan that builds too many continues without them, step by step. So a scan is linear in any
 * input.
 */
export class LazyDfa {
  readonly #stepper: Stepper
  readonly #states: StateCache
  /** The result of a search without pauses. */
  readonly #scan = newScan(false)

  constructor(nfa: Nfa, limits: DfaLimits = regexLimits) {
    this.#stepper = new Stepper(nfa)
    this.#states = new StateCache(this.#stepper, limits)
  }

  /**
   * 1 for bytes that may begin a match after the start of the text. 1 for all bytes if a match may be empty.
   */
  get begins(): Uint8Array {
    return this.#stepper.begins
  }

  /**
   * No allocation once the states of the input are known.
   * @returns -1 if there is no match; else a position before which none begins, at least `from`
   */
  search(input: string, from: number): number {
    const scan = this.#scan
    begin(scan, from)
    return this.#goOn(scan, input, input.length)
  }

  /** The same with pauses, in which others may search. */
  *searchInSlices(input: string, from: number, sliceBytes = usualSliceBytes): Generator<void, number, void> {
    const scan = newScan(true)
    begin(scan, from)
    for (;;) {
      scan.workMax = workDone() + sliceWork
      const outcome = this.#goOn(scan, input, Math.min(scan.at + sliceBytes, input.length))
      if (outcome !== undecided) return outcome
      yield
    }
  }

  /** Scans up to a position. @returns the outcome, or `undecided` with the state in `scan` */
  #goOn(scan: Scan, input: string, end: number): number {
    if (scan.simulated !== undefined) return this.#simulate(scan, scan.simulated, input)
    const states = this.#states
    const { firstReal, firstBusy } = states
    const { classes, begins } = this.#stepper
    const madeBefore = states.made - scan.made
    let until = end
    let { at, origin } = scan
    let state = scan.left === undefined ? states.start(this.#before(input, at)) : states.stateOf(scan.left)
    if (state < firstReal) return -1
    while (at < until) {
      const end = Math.min(at + runBytes, until)
      at = advance(input, at, end, states, classes, state, origin)
      state = reached
      origin = reachedOrigin
      if (at === end) {
        if (state >= firstBusy) continue
        // No match has begun: moves to the next byte that may begin one.
        at = skip(input, at, until, begins)
        origin = at
        state = states.start(this.#before(input, at))
        continue
      }
      let next = states.table[state + classes[input.charCodeAt(at)]!]!
      if (next === 0) {
        next = states.extend(state, classes[input.charCodeAt(at)]!, madeBefore)
        if (workDone() > scan.workMax) until = at + 1
      }
      if (next < firstReal) {
        if (next === states.accept) return origin
        if (next === states.dead) return -1
        scan.at = at + 1
        scan.origin = origin
        scan.count = this.#stepper.count
        scan.simulated = this.#stepper.reached.slice()
        return scan.pauses ? undecided : this.#simulate(scan, scan.simulated, input)
      }
      at++
      if (next < firstBusy) origin = at
      state = next
    }
    if (at === input.length) return states.matchesAtEnd(state) ? origin : -1
    scan.at = at
    scan.origin = origin
    scan.made = states.made - madeBefore
    scan.left = states.snapshot(state)
    return undecided
  }

  /**
   * Continues from a set of threads without building states. The array holds as many threads as the NFA has
   * instructions.
   */
  #simulate(scan: Scan, threads: Int32Array, input: string): number {
    const stepper = this.#stepper
    let { at, origin, count } = scan
    for (; at < input.length && workDone() <= scan.workMax; at++) {
      const cls = stepper.classes[input.charCodeAt(at)]!
      count = stepper.step(threads, 0, count, this.#before(input, at), cls)
      countWork(stepper.takeWork())
      if (count < 0) return origin
      if (count === 0) {
        if (stepper.anchored) return -1
        origin = at + 1
      }
      for (let index = 0; index < count; index++) threads[index] = stepper.reached[index]!
    }
    if (at === input.length)
      return stepper.matchesAtEnd(threads, 0, count, this.#before(input, at)) ? origin : -1
    scan.at = at
    scan.origin = origin
    scan.count = count
    return undecided
  }

  #before(input: string, at: number): number {
    if (at === 0) return edge
    return this.#stepper.tellsNeighbours ? neighbourOf[input.charCodeAt(at - 1)]! : otherByte
  }
}

/** A search, and its state at a pause. */
interface Scan {
  readonly pauses: boolean
  at: number
  /** No match begins before it. */
  origin: number
  /** States built for it. */
  made: number
  /** Value of `workDone` at which it pauses. */
  workMax: number
  /** Undefined at the beginning. */
  left: SavedState | undefined
  /** The threads, and their number, once no more states are built. */
  simulated: Int32Array | undefined
  count: number
}

function newScan(pauses: boolean): Scan {
  return {
    pauses,
    at: 0,
    origin: 0,
    made: 0,
    workMax: Number.POSITIVE_INFINITY,
    left: undefined,
    simulated: undefined,
    count: 0,
  }
}

function begin(scan: Scan, from: number): void {
  scan.at = from
  scan.origin = from
  scan.made = 0
  scan.left = undefined
  scan.simulated = undefined
}

const undecided = -2
/** Bytes of one slice, if no states need to be built. */
const usualSliceBytes = 16 * 1024

/** The state in which `advance` stopped, and a position before which no match begins. */
let reached = 0
let reachedOrigin = 0

/**
 * Bytes that are read by known transitions before the next look for a byte that may begin a match. In most texts many
 * bytes may: moving between the two loops at each would cost more than the loops.
 */
const runBytes = 16

/**
 * Follows known transitions. A separate function, as `skip` is, so that the compiler makes a tight loop of it for all
 * patterns and texts.
 * @returns the position of the byte that leads elsewhere; the state before it is in `reached`
 */
function advance(
  input: string,
  from: number,
  until: number,
  { table, firstReal, firstBusy }: StateCache,
  classes: Uint8Array,
  start: number,
  startOrigin: number,
): number {
  let at = from
  let state = start
  let origin = startOrigin
  while (at < until) {
    const next = table[state + classes[input.charCodeAt(at)]!]!
    if (next < firstReal) break
    state = next
    at++
    // Without a match in progress, the next one begins here at the earliest. A branch would often be mispredicted.
    const isBusy = (firstBusy - 1 - next) >> 31
    origin = (origin & isBusy) | (at & ~isBusy)
  }
  reached = state
  reachedOrigin = origin
  return at
}

/** @returns the position of the next byte that may begin a match */
function skip(input: string, from: number, until: number, begins: Uint8Array): number {
  let at = from
  while (at < until && begins[input.charCodeAt(at)] === 0) at++
  return at
}
