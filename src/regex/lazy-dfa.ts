import { regexLimits } from '../kit/limits.ts'
import { byteClasses } from './byte-classes.ts'
import { edge, holds, neighbourOf } from './context.ts'
import type { Automaton, Instruction } from './program.ts'

/** Entries of the transition table: unknown, and two states that end a scan. Real states follow. */
const unknown = 0
const dead = 1
const accept = 2
const firstReal = 3

/**
 * Answers "is there a match anywhere?" for a regular automaton without `\Z`, one table look-up a byte.
 *
 * A state is the set of instructions reached after a byte, before anything that consumes nothing was followed,
 * with the kind of that byte: assertions look at both sides, so they are decided when the next byte is known.
 * States are made when they are first needed, at the cost of one step of the automaton (linear in its size), and
 * thrown away all at once when there are too many: a scan is linear in the input whatever it holds.
 */
export class LazyDfa {
  readonly #code: readonly Instruction[]
  /** Byte → class; bytes of one class are alike to every instruction. */
  readonly #classes: Uint8Array
  /** A byte of each class. */
  readonly #samples: readonly number[]
  readonly #width: number
  readonly #hasAssertions: boolean
  readonly #anchored: boolean
  #table: Int32Array = new Int32Array(0)
  #ends: Uint8Array = new Uint8Array(0)
  #states: State[] = []
  #byKey = new Map<string, number>()
  readonly #visited: Uint32Array
  #visit = 0

  constructor(automaton: Automaton) {
    this.#code = automaton.code
    this.#hasAssertions = automaton.code.some(instruction => instruction.op === 'assertion')
    this.#anchored = startsAnchored(automaton.code)
    const { classes, samples } = byteClasses(automaton.code, this.#hasAssertions)
    this.#classes = classes
    this.#samples = samples
    this.#width = samples.length
    this.#visited = new Uint32Array(automaton.code.length)
    this.#reset()
  }

  /** Linear in `input`, no allocation once the states that the input needs are known. */
  test(input: string): boolean {
    const classes = this.#classes
    const width = this.#width
    let table = this.#table
    let state = firstReal
    for (let at = 0; at < input.length; at++) {
      const cls = classes[input.charCodeAt(at)]!
      let next = table[state * width + cls]!
      if (next < firstReal) {
        if (next === unknown) {
          next = this.#extend(state, cls)
          table = this.#table
        }
        if (next === accept) return true
        if (next === dead) return false
      }
      state = next
    }
    return this.#acceptsAtEnd(state)
  }

  #acceptsAtEnd(state: number): boolean {
    if (this.#ends[state] === 0) this.#ends[state] = this.#follow(this.#states[state]!, edge).matched ? 2 : 1
    return this.#ends[state] === 2
  }

  /** Works out one transition and remembers it. */
  #extend(from: number, cls: number): number {
    const byte = this.#samples[cls]!
    const state = this.#states[from]!
    const { matched, consuming } = this.#follow(state, neighbourOf[byte]!)
    if (matched) return this.#remember(from, cls, accept)
    const kernel: number[] = []
    for (const at of consuming) {
      const instruction = this.#code[at]!
      if (instruction.op === 'set' && instruction.set.has(byte)) kernel.push(at + 1)
    }
    if (kernel.length === 0 && this.#anchored) return this.#remember(from, cls, dead)
    kernel.sort((a, b) => a - b)
    return this.#remember(from, cls, undefined, {
      kernel,
      before: this.#hasAssertions ? neighbourOf[byte]! : edge,
    })
  }

  #remember(from: number, cls: number, next: number | undefined, state?: State): number {
    if (next === undefined && this.#states.length >= regexLimits.dfaStatesMax) {
      // The state that is being left is gone after this, so the transition is not written down.
      this.#reset()
      return this.#stateNumber(state!)
    }
    const number = next ?? this.#stateNumber(state!)
    this.#table[from * this.#width + cls] = number
    return number
  }

  #stateNumber(state: State): number {
    const key = `${state.before}:${state.kernel.join()}`
    const known = this.#byKey.get(key)
    if (known !== undefined) return known
    const number = this.#states.length
    this.#states.push(state)
    this.#byKey.set(key, number)
    if ((number + 1) * this.#width > this.#table.length) this.#grow()
    return number
  }

  /** Everything reached without consuming, the next byte being of kind `after`. A fresh search starts at every byte. */
  #follow(state: State, after: number): { matched: boolean; consuming: readonly number[] } {
    this.#visit++
    const consuming: number[] = []
    const pending = [...state.kernel]
    if (!this.#anchored || state.isStart === true) pending.push(0)
    while (pending.length > 0) {
      const at = pending.pop()!
      if (this.#visited[at] === this.#visit) continue
      this.#visited[at] = this.#visit
      const instruction = this.#code[at]!
      switch (instruction.op) {
        case 'set':
          consuming.push(at)
          break
        case 'split':
          pending.push(instruction.first, instruction.second)
          break
        case 'jump':
          pending.push(instruction.to)
          break
        case 'assertion':
          if (holds(instruction.what, state.before, after, false)) pending.push(at + 1)
          break
        case 'match':
          return { matched: true, consuming }
        default:
          pending.push(at + 1)
      }
    }
    return { matched: false, consuming }
  }

  #reset(): void {
    const start: State = { kernel: [], before: edge, isStart: true }
    this.#states = [start, start, start, start]
    this.#byKey = new Map()
    this.#table = new Int32Array(16 * this.#width)
    this.#ends = new Uint8Array(16)
  }

  #grow(): void {
    const table = new Int32Array(this.#table.length * 2)
    table.set(this.#table)
    this.#table = table
    const ends = new Uint8Array(this.#ends.length * 2)
    ends.set(this.#ends)
    this.#ends = ends
  }
}

interface State {
  readonly kernel: readonly number[]
  /** Kind of the byte before; always `edge` when no assertion asks. */
  readonly before: number
  readonly isStart?: true
}

/** Does every way through the pattern begin with the start of the text? */
function startsAnchored(code: readonly Instruction[]): boolean {
  const pending = [0]
  const seen = new Set<number>()
  while (pending.length > 0) {
    const at = pending.pop()!
    if (seen.has(at)) continue
    seen.add(at)
    const instruction = code[at]!
    if (instruction.op === 'assertion' && instruction.what === 'text-start') continue
    if (instruction.op === 'split') pending.push(instruction.first, instruction.second)
    else if (instruction.op === 'jump') pending.push(instruction.to)
    else if (instruction.op === 'save' || instruction.op === 'assertion') pending.push(at + 1)
    else return false
  }
  return true
}
