import { asciiLower } from '../kit/ascii.ts'
import { regexLimits } from '../kit/limits.ts'
import { holdsAt, isNext } from './context.ts'
import { Memo, type MemoPlan, planMemo, type Saves } from './memo.ts'
import { type Automaton, op } from './program.ts'

/**
 * Matches what is beyond regular automata. Look-around, atomic groups and possessive quantifiers: exactly, in
 * O(input · instructions), because a place in the pattern that was tried at a position is not tried there again
 * (whether it fails depends on nothing else; inside an atomic group or look-around the end that was reached is
 * remembered, and the captures set on the way). With back-references it does depend on the captures; then nothing is
 * remembered and the search has a budget of steps instead. When the budget or the memory is used up the answer is
 * "no match", as ModSecurity answers at its match limit.
 */
export class BacktrackingSearch {
  readonly #automaton: Automaton
  readonly #plan: MemoPlan
  readonly #begins: Uint8Array

  /** @param begins 1 for bytes that a match may begin with, but for one at the start of the text */
  constructor(automaton: Automaton, begins: Uint8Array) {
    this.#automaton = automaton
    this.#begins = begins
    this.#plan = planMemo(automaton)
  }

  /** The leftmost match with Perl's priorities. @returns slots of the captures, or null */
  exec(input: string, from: number): Int32Array | null {
    if (this.#automaton.backreferences)
      return new Backtracker(this.#automaton, input, undefined).run(from, this.#begins)
    if (Memo.bits(this.#plan, input.length) > regexLimits.backtrackBitsMax) return null
    return new Backtracker(this.#automaton, input, new Memo(this.#plan, input.length)).run(from, this.#begins)
  }
}

function stepsFor(length: number): number {
  const { backtrackStepsMin, backtrackStepsPerByte, backtrackStepsMax } = regexLimits
  return Math.min(backtrackStepsMin + backtrackStepsPerByte * length, backtrackStepsMax)
}

interface Choice {
  readonly at: number
  readonly position: number
  /** Lengths of the undo log and of the trail when the choice was left. */
  readonly undo: number
  readonly trail: number
}

class Backtracker {
  readonly #automaton: Automaton
  readonly #input: string
  readonly #memo: Memo | undefined
  readonly #slotCount: number
  /**
   * The captures. Without a memo there follow as many slots that hold where a group was opened (a back-reference in a
   * group means its last turn), and one an instruction for where a loop began its last turn.
   */
  readonly #slots: Int32Array
  /** Slots overwritten: slot and old value in turn. */
  readonly #undo: number[] = []
  /** Places of the memo on the current way through the innermost body: place and length of the undo log in turn. */
  readonly #trail: number[] = []
  #steps: number

  constructor(automaton: Automaton, input: string, memo: Memo | undefined) {
    this.#automaton = automaton
    this.#input = input
    this.#memo = memo
    this.#slotCount = 2 * (automaton.groups + 1)
    const more = memo === undefined ? this.#slotCount + automaton.size : 0
    this.#slots = new Int32Array(this.#slotCount + more).fill(-1)
    this.#steps = memo === undefined ? stepsFor(input.length) : Number.POSITIVE_INFINITY
  }

  run(from: number, begins: Uint8Array): Int32Array | null {
    const { length } = this.#input
    for (let start = from; start <= length && this.#steps > 0; start++) {
      if (start > 0 && start < length && begins[this.#input.charCodeAt(start)] === 0) continue
      if (this.#walk(0, start) >= 0) return this.#slots.slice(0, this.#slotCount)
    }
    return null
  }

  /** Runs until a `match`. @returns the position there, or -1 */
  #walk(at: number, position: number): number {
    const choices: Choice[] = []
    const bottom = this.#undo.length
    const base = this.#trail.length
    let end = this.#path(at, position, choices)
    while (end < 0) {
      const next = choices.pop()
      if (next === undefined) break
      this.#rewind(next.undo)
      this.#trail.length = next.trail
      end = this.#path(next.at, next.position, choices)
    }
    if (end < 0) this.#rewind(bottom)
    else if (base > 0 || at > 0) this.#rememberSuccess(base, end)
    this.#trail.length = base
    return end
  }

  /** Follows one way until it matches or fails, leaving the choices it passed. */
  #path(at: number, position: number, choices: Choice[]): number {
    const { ops, xs, ys, sets, assertions } = this.#automaton
    for (;;) {
      if (this.#steps-- <= 0) return -1
      if (this.#memo !== undefined) {
        const place = this.#memo.place(at, position)
        if (place >= 0) {
          if (this.#memo.visit(place)) return this.#again(place)
          this.#trail.push(place, this.#undo.length)
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

  /** Goes on at the first, leaving the second; a loop whose turn consumed nothing is left for good. */
  #split(at: number, position: number, choices: Choice[]): number {
    const first = this.#automaton.xs[at]!
    const second = this.#automaton.ys[at]!
    if (this.#memo === undefined && (first < at || second < at)) {
      const turn = 2 * this.#slotCount + at
      if (this.#slots[turn] === position) return Math.max(first, second)
      this.#set(turn, position)
    }
    choices.push({ at: second, position, undo: this.#undo.length, trail: this.#trail.length })
    return first
  }

  /** A place that was tried before: its end, with the captures that lead there, or -1. */
  #again(place: number): number {
    const end = this.#memo!.endFrom(place)
    if (end >= 0)
      for (let saves = this.#memo!.savesFrom(place); saves !== undefined; saves = saves.next)
        this.#set(saves.slot, saves.position)
    return end
  }

  /** Tells the memo of the way that just led through a body, from its end back. */
  #rememberSuccess(base: number, end: number): void {
    let saves: Saves | undefined
    let logged = this.#undo.length
    for (let index = this.#trail.length - 2; index >= base; index -= 2) {
      for (const since = this.#trail[index + 1]!; logged > since; logged -= 2)
        saves = this.#withSlot(saves, this.#undo[logged - 2]!)
      this.#memo!.succeed(this.#trail[index]!, end, saves)
    }
  }

  /** At most one entry a slot: the last one counts. */
  #withSlot(saves: Saves | undefined, slot: number): Saves {
    for (let entry = saves; entry !== undefined; entry = entry.next) if (entry.slot === slot) return saves!
    return { slot, position: this.#slots[slot]!, next: saves }
  }

  #look(number: number, position: number): boolean {
    const { negative, branches } = this.#automaton.looks[number]!
    const before = this.#undo.length
    const found = branches.some(({ at, back }) => back <= position && this.#walk(at, position - back) >= 0)
    if (negative) this.#rewind(before)
    return found !== negative
  }

  /** The end of the text of a group when it stands at a position, or -1. */
  #repeated(index: number, caseInsensitive: boolean, position: number): number {
    const start = this.#slots[2 * index]!
    const end = this.#slots[2 * index + 1]!
    if (end < 0) return -1
    this.#steps -= end - start
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
