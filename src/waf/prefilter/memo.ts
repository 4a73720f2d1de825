import type { RuleBits } from '../program/rule-bits.ts'
import { flatCopy } from '../transformations/scratch.ts'

/** Value → the rules that match; null for none. */
type Answers = Map<string, RuleBits | null>

/**
 * Memory of the results for short values, so that a known value costs one look-up. All memos of a program share one
 * allowance. When its newer half is full, the older half is forgotten, in all memos.
 */
export class MemoAllowance {
  readonly #bytesMax: number
  #bytes = 0
  generation = 0
  /** Entries of this generation, and of the one before. */
  #young: Answers[] = []
  #old: Answers[] = []

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** The map for one memo's entries of this generation. It is emptied when the generation is forgotten. */
  answers(): Answers {
    const answers: Answers = new Map()
    this.#young.push(answers)
    return answers
  }

  /** Pays for an entry; may begin a new generation. */
  pay(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes < this.#bytesMax / 2) return
    this.#bytes = 0
    this.generation++
    for (const answers of this.#old) answers.clear()
    this.#old = this.#young
    this.#young = []
  }
}

/** The memo of one plan. */
export class Memo {
  readonly #allowance: MemoAllowance
  #generation = 0
  #young = none
  #old = none

  constructor(allowance: MemoAllowance) {
    this.#allowance = allowance
    this.#generation = allowance.generation
  }

  /** The rules that match; null for none; undefined for an unknown value. */
  get(value: string): RuleBits | null | undefined {
    if (this.#generation !== this.#allowance.generation) this.#age()
    const known = this.#young.get(value)
    if (known !== undefined) return known
    const older = this.#old.get(value)
    if (older !== undefined) this.#keep(value, older)
    return older
  }

  set(value: string, hits: RuleBits | null): void {
    this.#keep(flatCopy(value), hits)
  }

  #keep(value: string, hits: RuleBits | null): void {
    if (this.#generation !== this.#allowance.generation) this.#age()
    if (this.#young === none) this.#young = this.#allowance.answers()
    this.#young.set(value, hits)
    this.#allowance.pay(value.length + entryBytes + (hits === null ? 0 : hits.length * 8))
  }

  #age(): void {
    const isNext = this.#generation + 1 === this.#allowance.generation
    this.#old = isNext ? this.#young : none
    this.#young = none
    this.#generation = this.#allowance.generation
  }
}

/** For a memo without entries; stays empty. */
const none: Answers = new Map()

/** Rough cost of a map's entry and a string besides its bytes. */
const entryBytes = 64
