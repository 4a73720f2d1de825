import { addRule, newRuleBits, type RuleBits } from '../program/rule-bits.ts'
import type { LiteralAutomaton } from './literal-automaton.ts'
import type { PrefilterTables } from './prefilter-tables.ts'
import type { PrefilteredRule } from './prefiltered-rule.ts'
import { Scanner } from './scanner.ts'
import { type LiteralBits, TransformedValues } from './transformed-values.ts'
import type { LiteralEnd } from './value-plan.ts'

/** The parts shared by all plans over some rules: the automaton of their literals, and idle scanners. */
export class Prefilter {
  readonly #automaton: LiteralAutomaton
  readonly #owners: Int32Array
  readonly #ruleCount: number
  readonly #nodeCount: number
  readonly #atRest: Scanner[] = []
  readonly #lacksLiterals = new Set<number>()
  /** Bits of alternatives with a literal that is not searched: every value may hold it. */
  readonly open: LiteralBits
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
    this.open = bitsOf(left)
  }

  get endCount(): number {
    return this.#automaton.endsFrom.length - 1
  }

  /** The meaning of an end state of the automaton for a plan. */
  readonly literalEnd = (end: number, asks: (rule: number) => boolean): LiteralEnd => {
    const { ends, endsFrom } = this.#automaton
    const groups = ends.subarray(endsFrom[end], endsFrom[end + 1])
    const rules: number[] = []
    for (const group of groups) {
      const owner = this.#owners[group]!
      if (owner >= 0 && asks(owner)) rules.push(group, owner)
    }
    return { ...bitsOf(groups.map(group => this.#owners[group]!)), rules: Int32Array.from(rules) }
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
        this.open,
        this.#owners.length,
        this.#ruleCount,
        this.#nodeCount,
      ),
      this.#sole,
    )
  }

  giveBack(scanner: Scanner): void {
    scanner.rest()
    if (this.#atRest.length < scannersAtRestMax) this.#atRest.push(scanner)
  }
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

const scannersAtRestMax = 16
