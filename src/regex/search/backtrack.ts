import { asciiLower } from '../../kit/ascii.ts'
import { holdsAt, isNext } from '../automaton/context.ts'
import { type Nfa, op } from '../automaton/nfa.ts'
import { regexLimits } from '../limits.ts'
import { countWork, MatchLimitError, sliceWork, workDone } from '../work.ts'
import { Memo, type MemoPlan, planMemo, type Saves } from './memo.ts'

/**
 * Matches irregular patterns. Look-around, atomic groups and possessive quantifiers are exact, in O(input ·
 * instructions): an instruction that was tried at a position is not tried there again, because failure depends on
 * nothing else. Inside an atomic group or look-around, the memo keeps the reached end and its captures. With
 * back-references failure also depends on the captures. Then nothing is memoized, and the search has a step budget
 * instead. Steps count as work.
 */
export class BacktrackingSearch {
  readonly #nfa: Nfa
  readonly #plan: MemoPlan
  readonly #begins: Uint8Array

  /** @param begins 1 for bytes that may begin a match other than one at the start of the text */
  constructor(nfa: Nfa, begins: Uint8Array) {
    this.#nfa = nfa
    this.#begins = begins
    this.#plan = planMemo(nfa)
  }

  /**
   * The leftmost match with Perl's priorities.
   * @returns slots of the captures, or null
   * @throws MatchLimitError when the budget or the memory is used up; WorkExceededError
   */
  exec(input: string, from: number): Int32Array | null {
    const search = this.execInSlices(input, from, Number.POSITIVE_INFINITY)
    for (;;) {
      const { done, value } = search.next()
      if (done) return value
    }
  }

  /** The same with pauses, but none inside look-around and atomic groups. */
  execInSlices(input: string, from: number, work = sliceWork): Generator<void, Int32Array | null, void> {
    return this.#begin(input).run(from, this.#begins, work)
  }

  #begin(input: string): Backtracker {
    if (this.#nfa.backreferences) return new Backtracker(this.#nfa, input, undefined)
    if (Memo.bits(this.#plan, input.length) > regexLimits.backtrackBitsMax) throw new MatchLimitError()
    return new Backtracker(this.#nfa, input, new Memo(this.#plan, input.length))
  }
}

function stepsFor(length: number): number {
  const { backtrackStepsMin, backtrackStepsPerByte, backtrackStepsMax } = regexLimits
  return Math.min(backtrackStepsMin + backtrackStepsPerByte * length, backtrackStepsMax)
}

/** Steps that are counted at once. */
const stepsCounted = 1024
/** Value in the field of a position. */
const paused = -2

interface Choice {
  readonly at: number
  readonly position: number
  /** Lengths of the undo log and of the trail when the choice was left. */
  readonly undo: number
  readonly trail: number
}

class Backtracker {
  readonly #nfa: Nfa
  readonly #input: string
  readonly #memo: Memo | undefined
  readonly #slotCount: number
  /**
   * The captures. Without a memo, more slots follow: one for the opening of each group, and one per instruction for
   * the start of a loop's last turn. A back-reference in a group means its last turn.
   */
  readonly #slots: Int32Array
  /** Overwritten slots: slot and old value in turn. */
  readonly #undo: number[] = []
  /** Memo cells on the current path through the innermost body: cell and length of the undo log in turn. */
  readonly #trail: number[] = []
  #steps: number
  /** Steps since the last count. */
  #uncounted = 0

  constructor(nfa: Nfa, input: string, memo: Memo | undefined) {
    this.#nfa = nfa
    this.#input = input
    this.#memo = memo
    this.#slotCount = 2 * (nfa.groups + 1)
    const more = memo === undefined ? this.#slotCount + nfa.size : 0
    this.#slots = new Int32Array(this.#slotCount + more).fill(-1)
    this.#steps = memo === undefined ? stepsFor(input.length) : Number.POSITIVE_INFINITY
  }

  *run(from: number, begins: Uint8Array, work: number): Generator<void, Int32Array | null, void> {
    const { length } = this.#input
    let sliceEnds = workDone() + work
    for (let start = from; start <= length; start++) {
      if (start > 0 && start < length && begins[this.#input.charCodeAt(start)] === 0) continue
      const choices = [this.#choice(0, start)]
      let end = this.#try(choices, sliceEnds)
      while (end === paused) {
        yield
        sliceEnds = workDone() + work
        end = this.#try(choices, sliceEnds)
      }
      if (end >= 0) {
        this.#count()
        return this.#slots.slice(0, this.#slotCount)
      }
      this.#rewind(0)
      this.#trail.length = 0
    }
    this.#count()
    return null
  }

  #count(): void {
    const steps = this.#uncounted
    this.#uncounted = 0
    countWork(steps)
  }

  /** Runs until a `match`. @returns the position there, or -1 */
  #walk(at: number, position: number): number {
    const bottom = this.#undo.length
    const base = this.#trail.length
    const end = this.#try([this.#choice(at, position)], Number.POSITIVE_INFINITY)
    if (end < 0) this.#rewind(bottom)
    else this.#rememberSuccess(base, end)
    this.#trail.length = base
    return end
  }

  #choice(at: number, position: number): Choice {
    return { at, position, undo: this.#undo.length, trail: this.#trail.length }
  }

  /**
   * Follows choices, the last one first, until one leads to a `match`.
   * @param pauseAt value of `workDone`
   * @returns the position there; -1 if none does; `paused`, to be called again
   */
  #try(choices: Choice[], pauseAt: number): number {
    for (let next = choices.pop(); next !== undefined; next = choices.pop()) {
      this.#rewind(next.undo)
      this.#trail.length = next.trail
      const end = this.#path(next.at, next.position, choices, pauseAt)
      if (end !== -1) return end
    }
    return -1
  }

  /** Follows one path until it matches or fails, and leaves the other choices. A pause leaves one more choice. */
  #path(first: number, from: number, choices: Choice[], pauseAt: number): number {
    const { ops, xs, ys, sets, assertions } = this.#nfa
    let at = first
    let position = from
    for (;;) {
      if (this.#steps-- <= 0) throw new MatchLimitError()
      if (++this.#uncounted === stepsCounted) {
        this.#count()
        if (workDone() > pauseAt) {
          choices.push(this.#choice(at, position))
          return paused
        }
      }
      if (this.#memo !== undefined) {
        const cell = this.#memo.cell(at, position)
        if (cell >= 0) {
          if (this.#memo.visit(cell)) return this.#again(cell)
          this.#trail.push(cell, this.#undo.length)
        }
      }
      switch (ops[at]) {
        case op.match:
          return position
        case op.set:
          if (position >= this.#input.length || !sets[xs[at]!]!.has(this.#input.charCodeAt(position)))
            return -1
          position++
          at++
          break
        case op.split:
          at = this.#split(at, position, choices)
          break
        case op.jump:
          at = xs[at]!
          break
        case op.save:
          this.#save(xs[at]!, position)
          at++
          break
        case op.assertion:
          if (!holdsAt(assertions[xs[at]!]!, this.#input, position)) return -1
          at++
          break
        case op.next:
          if (!isNext(sets[xs[at]!]!, ys[at] === 1, this.#input, position)) return -1
          at++
          break
        case op.atomic:
          position = this.#walk(at + 1, position)
          if (position < 0) return -1
          at = ys[at]!
          break
        case op.look:
          if (!this.#look(xs[at]!, position)) return -1
          at = ys[at]!
          break
        case op.backreference:
          position = this.#repeated(xs[at]!, ys[at] === 1, position)
          if (position < 0) return -1
          at++
      }
    }
  }

  /** Continues at the first, leaving the second; a loop whose turn consumed nothing is left for good. */
  #split(at: number, position: number, choices: Choice[]): number {
    const first = this.#nfa.xs[at]!
    const second = this.#nfa.ys[at]!
    if (this.#memo === undefined && (first < at || second < at)) {
      const turn = 2 * this.#slotCount + at
      if (this.#slots[turn] === position) return Math.max(first, second)
      this.#set(turn, position)
    }
    choices.push(this.#choice(second, position))
    return first
  }

  /** A cell that was tried before: its end, with the captures that lead there, or -1. */
  #again(cell: number): number {
    const end = this.#memo!.endFrom(cell)
    if (end >= 0)
      for (let saves = this.#memo!.savesFrom(cell); saves !== undefined; saves = saves.next)
        this.#set(saves.slot, saves.position)
    return end
  }

  /** Records in the memo the path that just led through a body, from its end back. */
  #rememberSuccess(base: number, end: number): void {
    let saves: Saves | undefined
    let logged = this.#undo.length
    for (let index = this.#trail.length - 2; index >= base; index -= 2) {
      for (const since = this.#trail[index + 1]!; logged > since; logged -= 2)
        saves = this.#withSlot(saves, this.#undo[logged - 2]!)
      this.#memo!.succeed(this.#trail[index]!, end, saves)
    }
  }

  /** At most one entry per slot: the last one counts. */
  #withSlot(saves: Saves | undefined, slot: number): Saves {
    for (let entry = saves; entry !== undefined; entry = entry.next) if (entry.slot === slot) return saves!
    return { slot, position: this.#slots[slot]!, next: saves }
  }

  #look(number: number, position: number): boolean {
    const { negative, branches } = this.#nfa.looks[number]!
    const before = this.#undo.length
    const found = branches.some(({ at, back }) => back <= position && this.#walk(at, position - back) >= 0)
    if (negative) this.#rewind(before)
    return found !== negative
  }

  /** The end of a group's text if the input has it at a position, or -1. */
  #repeated(index: number, caseInsensitive: boolean, position: number): number {
    const start = this.#slots[2 * index]!
    const end = this.#slots[2 * index + 1]!
    if (end < 0) return -1
    this.#steps -= end - start
    countWork(end - start)
    const text = this.#input.slice(start, end)
    const here = this.#input.slice(position, position + text.length)
    const same = caseInsensitive ? asciiLower(here) === asciiLower(text) : here === text
    return same ? position + text.length : -1
  }

  /** A group counts once it is closed. */
  #save(slot: number, position: number): void {
    if (this.#memo !== undefined) this.#set(slot, position)
    else if (slot % 2 === 0) this.#set(this.#slotCount + slot, position)
    else {
      this.#set(slot - 1, this.#slots[this.#slotCount + slot - 1]!)
      this.#set(slot, position)
    }
  }

  #set(slot: number, value: number): void {
    this.#undo.push(slot, this.#slots[slot]!)
    this.#slots[slot] = value
  }

  #rewind(length: number): void {
    while (this.#undo.length > length) {
      const value = this.#undo.pop()!
      this.#slots[this.#undo.pop()!] = value
    }
  }
}
