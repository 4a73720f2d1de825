import { addRule, newRuleBits, type RuleBits } from '../program/rule-bits.ts'
import type { GateTables } from './gate-tables.ts'
import type { GatedRule } from './gated-rule.ts'
import type { LiteralAutomaton } from './literal-automaton.ts'
import { Scanner } from './scanner.ts'
import { Texts } from './texts.ts'
import type { LiteralEnd } from './value-plan.ts'

/** What all plans over some rules share: the automaton of their literals, and scanners at rest. */
export class Gate {
  readonly #automaton: LiteralAutomaton
  readonly #owners: Int32Array
  readonly #ruleCount: number
  readonly #nodeCount: number
  readonly #atRest: Scanner[] = []
  readonly #hasNoRoom = new Set<number>()
  /** By rule index: the set of just that rule. */
  readonly #sole: readonly RuleBits[]

  constructor({ automaton, owners }: GateTables, ruleCount: number, nodeCount: number) {
    this.#automaton = automaton
    this.#owners = owners
    this.#ruleCount = ruleCount
    this.#nodeCount = nodeCount
    this.#sole = Array.from({ length: ruleCount }, (_, index) => {
      const bits = newRuleBits(ruleCount)
      addRule(bits, index)
      return bits
    })
    for (const group of automaton.left) this.#hasNoRoom.add(owners[group]!)
  }

  get endCount(): number {
    return this.#automaton.endsFrom.length - 1
  }

  /** What literals that end in one state mean to a plan. */
  readonly literalEnd = (end: number, asks: (rule: number) => boolean): LiteralEnd => {
    const { ends, endsFrom } = this.#automaton
    let first = 0
    let second = 0
    const rules: number[] = []
    for (const group of ends.subarray(endsFrom[end], endsFrom[end + 1])) {
      const owner = this.#owners[group]!
      if (owner >= 0) {
        if (asks(owner)) rules.push(group, owner)
      } else if (owner >= -32) first |= 1 << ~owner
      else second |= 1 << (~owner - 32)
    }
    return { first, second, rules: Int32Array.from(rules) }
  }

  /** Are some of the rule's literals not in the automaton? */
  readonly hasNoRoom = (rule: GatedRule): boolean => this.#hasNoRoom.has(rule.index)

  /** Bytes of the tables. */
  get tableBytes(): number {
    const { next, ends, endsFrom } = this.#automaton
    return next.byteLength + ends.byteLength + endsFrom.byteLength
  }

  /** A scanner for one request at a time: it is given back between two of its pauses at the earliest. */
  take(): Scanner {
    const rested = this.#atRest.pop()
    if (rested !== undefined) return rested
    return new Scanner(
      new Texts(this.#automaton, this.#owners.length, this.#ruleCount, this.#nodeCount),
      this.#sole,
    )
  }

  giveBack(scanner: Scanner): void {
    scanner.rest()
    if (this.#atRest.length < scannersAtRestMax) this.#atRest.push(scanner)
  }
}

const scannersAtRestMax = 16
