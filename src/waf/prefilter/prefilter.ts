import { addRule, newRuleBits, type RuleBits } from '../program/rule-bits.ts'
import type { LiteralAutomaton } from './literal-automaton.ts'
import type { PrefilterTables } from './prefilter-tables.ts'
import type { PrefilteredRule } from './prefiltered-rule.ts'
import type { AlternativeBits, LiteralBits } from './scanned-texts.ts'
import { Scanner } from './scanner.ts'
import { TransformedValues } from './transformed-values.ts'
import type { LiteralEnd } from './value-plan.ts'

/** The parts shared by all plans over some rules: the automaton of their literals, and idle scanners. */
export class Prefilter {
  readonly #automaton: LiteralAutomaton
  readonly #owners: Int32Array
  readonly #ruleCount: number
  readonly #nodeCount: number
  readonly #atRest: Scanner[] = []
  readonly #lacksLiterals = new Set<number>()
  readonly bits: AlternativeBits
  /** By rule index: the set of just that rule. */
  readonly #sole: readonly RuleBits[]

  constructor({ automaton, owners }: PrefilterTables, ruleCount: number, nodeCount: number) {
    this.#automaton = automaton
    this.#owners = owners
    this.#ruleCount = ruleCount
    this.#nodeCount = nodeCount
    this.#sole = Array.from({ length: ruleCount }, (_, index) => {
      const bits = newRuleBits(ruleCount)
      addRule(bits, index)
      return bits
    })
    const left = Array.from(automaton.left, group => owners[group]!)
    for (const owner of left) if (owner >= 0) this.#lacksLiterals.add(owner)
    this.bits = { open: bitsOf(left), ofEnds: endBitsOf(automaton, owners) }
  }

  get endCount(): number {
    return this.#automaton.endsFrom.length - 1
  }

  /** The meaning of an end state of the automaton for a plan. */
  readonly literalEnd = (end: number, asks: (rule: number) => boolean): LiteralEnd => {
    const { ends, endsFrom } = this.#automaton
    const rules: number[] = []
    for (let i = endsFrom[end]!; i < endsFrom[end + 1]!; i++) {
      const group = ends[i]!
      const owner = this.#owners[group]!
      if (owner >= 0 && asks(owner)) rules.push(group, owner)
    }
    return Int32Array.from(rules)
  }

  /** Whether some of the rule's literals are not in the automaton. */
  readonly lacksLiterals = (rule: PrefilteredRule): boolean => this.#lacksLiterals.has(rule.index)

  /** Bytes of the tables. */
  get tableBytes(): number {
    const { next, ends, endsFrom } = this.#automaton
    return next.byteLength + ends.byteLength + endsFrom.byteLength
  }

  /** A scanner for one request at a time. It is returned at a pause at the earliest. */
  take(): Scanner {
    const rested = this.#atRest.pop()
    if (rested !== undefined) return rested
    return new Scanner(
      new TransformedValues(
        this.#automaton,
        this.bits,
        this.#owners.length,
        this.#ruleCount,
        this.#nodeCount,
      ),
      this.#sole,
    )
  }

  giveBack(scanner: Scanner): void {
    scanner.rest()
    if (this.#atRest.length < scannersKept) this.#atRest.push(scanner)
  }
}

function endBitsOf({ ends, endsFrom }: LiteralAutomaton, owners: Int32Array): Int32Array {
  const bits = new Int32Array((endsFrom.length - 1) * 2)
  for (let end = 0; end < endsFrom.length - 1; end++) {
    const groups = ends.subarray(endsFrom[end], endsFrom[end + 1])
    const { first, second } = bitsOf(groups.map(group => owners[group]!))
    bits[end * 2] = first
    bits[end * 2 + 1] = second
  }
  return bits
}

/** @param owners as in `PrefilterTables`; entries for rules have no bit */
function bitsOf(owners: Iterable<number>): LiteralBits {
  let first = 0
  let second = 0
  for (const owner of owners) {
    if (owner >= 0) continue
    if (owner >= -32) first |= 1 << ~owner
    else second |= 1 << (~owner - 32)
  }
  return { first, second }
}

const scannersKept = 16
