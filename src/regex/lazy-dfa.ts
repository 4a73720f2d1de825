import { regexLimits } from '../kit/limits.ts'
import { edge, neighbourOf, otherByte } from './context.ts'
import type { Automaton } from './program.ts'
import { type DfaLimits, StateCache } from './state-cache.ts'
import { Stepper } from './stepper.ts'
import { countWork } from './work.ts'

/**
 * Answers "is there a match anywhere?" for a regular automaton without `\Z`, one table look-up a byte.
 *
 * States are made when they are first needed, at the cost of one step of the automaton (linear in its size). When there
 * are too many they are thrown away all at once; a scan that makes too many by itself goes on without them, step by
 * step. So a scan is linear in the input whatever it holds.
 */
export class LazyDfa {
  readonly #stepper: Stepper
  readonly #states: StateCache

  constructor(automaton: Automaton, limits: DfaLimits = regexLimits) {
    this.#stepper = new Stepper(automaton)
    this.#states = new StateCache(this.#stepper, limits)
  }

  /** 1 for bytes that a match may begin with, but for one at the start of the text; all when a match may be empty. */
  get begins(): Uint8Array {
    return this.#stepper.begins
  }

  /**
   * No allocation once the states that the input needs are known.
   * @returns -1 when there is no match; else a position before which none begins, `from` at least
   */
  search(input: string, from: number): number {
    const states = this.#states
    const { firstReal, firstBusy, made } = states
    const { length } = input
    const { classes, begins } = this.#stepper
    let origin = from
    let at = from
    let state = states.start(this.#before(input, from))
    if (state < firstReal) return -1
    while (at < length) {
      at = advance(input, at, states.table, classes, state, firstBusy)
      state = reached
      if (at === length) break
      let next = states.table[state + classes[input.charCodeAt(at)]!]!
      if (next === 0) next = states.extend(state, classes[input.charCodeAt(at)]!, made)
      if (next < firstReal) {
        if (next === states.accept) return origin
        if (next === states.dead) return -1
        return this.#simulate(input, at + 1, origin)
      }
      at++
      if (next < firstBusy) {
        // Nothing has begun: on to the next byte that a match may begin with.
        at = skip(input, at, begins)
        origin = at
        next = states.start(this.#before(input, at))
      }
      state = next
    }
    return states.matchesAtEnd(state) ? origin : -1
  }

  /** Goes on from the kernel that the stepper has reached, without remembering any. */
  #simulate(input: string, from: number, begun: number): number {
    const stepper = this.#stepper
    const kernel = stepper.reached.slice()
    let count = stepper.count
    let origin = begun
    for (let at = from; at < input.length; at++) {
      const cls = stepper.classes[input.charCodeAt(at)]!
      count = stepper.step(kernel, 0, count, this.#before(input, at), cls)
      countWork(stepper.takeWork())
      if (count < 0) return origin
      if (count === 0) {
        if (stepper.anchored) return -1
        origin = at + 1
      }
      for (let index = 0; index < count; index++) kernel[index] = stepper.reached[index]!
    }
    return stepper.matchesAtEnd(kernel, 0, count, this.#before(input, input.length)) ? origin : -1
  }

  #before(input: string, at: number): number {
    if (at === 0) return edge
    return this.#stepper.tellsNeighbours ? neighbourOf[input.charCodeAt(at - 1)]! : otherByte
  }
}

/** Where `advance` stopped. */
let reached = 0

/**
 * Follows known transitions as long as something has begun. A function of its own, as `skip` is: the compiler makes a
 * tight loop of it whatever patterns and texts it has seen.
 * @returns the place of the byte that leads elsewhere; the state before it is in `reached`
 */
function advance(
  input: string,
  from: number,
  table: Int32Array,
  classes: Uint8Array,
  start: number,
  firstBusy: number,
): number {
  let at = from
  let state = start
  for (; at < input.length; at++) {
    const next = table[state + classes[input.charCodeAt(at)]!]!
    if (next < firstBusy) break
    state = next
  }
  reached = state
  return at
}

/** @returns the place of the next byte that a match may begin with */
function skip(input: string, from: number, begins: Uint8Array): number {
  let at = from
  while (at < input.length && begins[input.charCodeAt(at)] === 0) at++
  return at
}
