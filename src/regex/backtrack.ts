import { regexLimits } from '../kit/limits.ts'
import { edge, holds, neighbourOf } from './context.ts'
import type { Automaton, Instruction } from './program.ts'

/**
 * Matches what is beyond regular automata: look-around, atomic groups and possessive quantifiers exactly, in
 * O(input · instructions), because a place in the pattern that failed at a position is never tried there again
 * (whether it fails depends on nothing else; inside an atomic group or look-around the end that it reached is
 * remembered as well). With back-references it does depend on the captures; then nothing is
 * remembered and the search has a budget of steps instead. When the budget or the memory for what failed is used up
 * the answer is "no match", as ModSecurity answers at its match limit.
 */
export function backtrackMatch(automaton: Automaton, input: string, from: number): Int32Array | null {
  return new Backtracker(automaton, input).run(from)
}

interface Choice {
  readonly at: number
  readonly position: number
  /** Lengths of the undo log and of the trail when the choice was left. */
  readonly undo: number
  readonly trail: number
}

class Backtracker {
  readonly #code: readonly Instruction[]
  readonly #input: string
  readonly #slots: Int32Array
  /** Slots overwritten: slot and old value in turn. */
  readonly #undo: number[] = []
  /** Places that were tried, one bit each; undefined when that would prove nothing (back-references). */
  readonly #tried: Uint32Array | undefined
  /** Places inside atomic groups and look-around from which their end was reached, and that end. */
  readonly #succeeded = new Map<number, number>()
  /** Places on the current way through the innermost atomic group or look-around. */
  readonly #trail: number[] = []
  #steps: number

  constructor(automaton: Automaton, input: string) {
    this.#code = automaton.code
    this.#input = input
    this.#slots = new Int32Array(2 * (automaton.groups + 1)).fill(-1)
    const bits = automaton.code.length * (input.length + 1)
    this.#tried = automaton.backreferences
      ? undefined
      : new Uint32Array(Math.ceil(Math.min(bits, regexLimits.backtrackBitsMax) / 32))
    this.#steps = automaton.backreferences
      ? regexLimits.backtrackStepsMin + regexLimits.backtrackStepsPerByte * input.length
      : bits > regexLimits.backtrackBitsMax
        ? 0
        : Number.POSITIVE_INFINITY
  }

  run(from: number): Int32Array | null {
    for (let start = from; start <= this.#input.length && this.#steps > 0; start++)
      if (this.#walk(0, start) >= 0) return this.#slots
    return null
  }

  /** Runs until a `match`. @returns the position there, or -1 */
  #walk(at: number, position: number): number {
    const choices: Choice[] = []
    const bottom = this.#undo.length
    const base = this.#trail.length
    for (
      let next: Choice | undefined = { at, position, undo: bottom, trail: base };
      next !== undefined;
      next = choices.pop()
    ) {
      this.#rewind(next.undo)
      this.#trail.length = next.trail
      const end = this.#path(next.at, next.position, choices)
      if (end < 0) continue
      if (this.#tried !== undefined)
        for (let index = base; index < this.#trail.length; index++)
          this.#succeeded.set(this.#trail[index]!, end)
      this.#trail.length = base
      return end
    }
    this.#trail.length = base
    this.#rewind(bottom)
    return -1
  }

  /** Follows one way until it matches or fails, leaving the choices it passed. */
  #path(at: number, position: number, choices: Choice[]): number {
    for (;;) {
      if (this.#steps-- <= 0) return -1
      if (this.#wasHere(at, position)) return this.#succeeded.get(this.#place(at, position)) ?? -1
      const instruction = this.#code[at]!
      switch (instruction.op) {
        case 'match':
          return position
        case 'set':
          if (position >= this.#input.length || !instruction.set.has(this.#input.charCodeAt(position)))
            return -1
          position++
          at++
          break
        case 'split':
          choices.push({
            at: instruction.second,
            position,
            undo: this.#undo.length,
            trail: this.#trail.length,
          })
          at = instruction.first
          break
        case 'jump':
          at = instruction.to
          break
        case 'save':
          this.#undo.push(instruction.slot, this.#slots[instruction.slot]!)
          this.#slots[instruction.slot] = position
          at++
          break
        case 'assertion':
          if (!this.#holds(instruction.what, position)) return -1
          at++
          break
        case 'atomic': {
          const end = this.#walk(at + 1, position)
          if (end < 0) return -1
          position = end
          at = instruction.next
          break
        }
        case 'look': {
          const before = this.#undo.length
          if (this.#looks(at + 1, position, instruction.lengths) === instruction.negative) return -1
          if (instruction.negative) this.#rewind(before)
          at = instruction.next
          break
        }
        case 'backreference': {
          const length = this.#repeated(instruction.index, position, instruction.caseInsensitive)
          if (length < 0) return -1
          position += length
          at++
        }
      }
    }
  }

  /** Marks a place as tried; true when it was before. */
  #wasHere(at: number, position: number): boolean {
    const tried = this.#tried
    if (tried === undefined) return false
    const place = this.#place(at, position)
    const word = tried[place >>> 5]!
    const mask = 1 << (place & 31)
    if ((word & mask) !== 0) return true
    tried[place >>> 5] = word | mask
    this.#trail.push(place)
    return false
  }

  #place(at: number, position: number): number {
    return at * (this.#input.length + 1) + position
  }

  #looks(at: number, position: number, lengths: readonly number[] | undefined): boolean {
    if (lengths === undefined) return this.#walk(at, position) >= 0
    return lengths.some(length => length <= position && this.#walk(at, position - length) === position)
  }

  #repeated(index: number, position: number, fold: boolean): number {
    const start = this.#slots[2 * index] ?? -1
    const end = this.#slots[2 * index + 1] ?? -1
    if (start < 0 || end < start) return -1
    const text = this.#input.slice(start, end)
    const here = this.#input.slice(position, position + text.length)
    return here === text || (fold && here.toLowerCase() === text.toLowerCase()) ? text.length : -1
  }

  #rewind(length: number): void {
    while (this.#undo.length > length) {
      const value = this.#undo.pop()!
      this.#slots[this.#undo.pop()!] = value
    }
  }

  #holds(what: Parameters<typeof holds>[0], position: number): boolean {
    const input = this.#input
    const before = position > 0 ? neighbourOf[input.charCodeAt(position - 1)]! : edge
    const after = position < input.length ? neighbourOf[input.charCodeAt(position)]! : edge
    return holds(what, before, after, () => position === input.length - 1)
  }
}
