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

/**
 * The memo of one plan. A look-up in vain costs as much as a short value's scan. So while few values of a length are
 * known, only a sample of the values of that length is looked up and stored.
 */
export class Memo {
  readonly #allowance: MemoAllowance
  readonly #usefulness = [new Usefulness(), new Usefulness(), new Usefulness()] as const
  #generation = 0
  #young = none
  #old = none

  constructor(allowance: MemoAllowance) {
    this.#allowance = allowance
    this.#generation = allowance.generation
  }

  /** The rules that match; null for none; undefined for an unknown value. */
  get(value: string): RuleBits | null | undefined {
    const usefulness = this.#usefulnessFor(value)
    if (usefulness.isResting()) return undefined
    const known = this.#find(value)
    usefulness.count(known !== undefined)
    return known
  }

  /** Whether the value would not be stored. */
  rests(value: string): boolean {
    return this.#usefulnessFor(value).rests
  }

  set(value: string, hits: RuleBits | null): void {
    if (!this.rests(value)) this.#keep(flatCopy(value), hits)
  }

  #usefulnessFor({ length }: string): Usefulness {
    return this.#usefulness[length <= wordBytes ? 0 : length <= phraseBytes ? 1 : 2]
  }

  #find(value: string): RuleBits | null | undefined {
    if (this.#generation !== this.#allowance.generation) this.#age()
    const known = this.#young.get(value)
    if (known !== undefined) return known
    const older = this.#old.get(value)
    if (older !== undefined) this.#keep(value, older)
    return older
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

/** Whether look-ups find enough. */
class Usefulness {
  #asked = 0
  #known = 0
  #resting = 0

  get rests(): boolean {
    return this.#resting > 0
  }

  /** Also counts the look-up that is left out. */
  isResting(): boolean {
    if (this.#resting === 0) return false
    this.#resting--
    return true
  }

  count(isKnown: boolean): void {
    if (isKnown) this.#known++
    if (++this.#asked < sampleSize) return
    if (this.#known < knownMin) this.#resting = restSize
    this.#asked = 0
    this.#known = 0
  }
}

/** Look-ups. */
const sampleSize = 1024
const restSize = 16 * sampleSize
/** Of a sample: with fewer known values, look-ups cost more than they save. */
const knownMin = sampleSize / 8

/** Lengths of values that are likely to repeat alike. */
const wordBytes = 8
const phraseBytes = 32

/** For a memo without entries; stays empty. */
const none: Answers = new Map()

/** Rough cost of a map's entry and a string besides its bytes. */
const entryBytes = 64
