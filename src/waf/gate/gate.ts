import { addRule, newRuleBits, type RuleBits } from '../program/rule-bits.ts'
import type { GatedRule } from './gated-rule.ts'
import { buildLiteralAutomaton, type LiteralAutomaton } from './literal-automaton.ts'
import { Scanner } from './scanner.ts'
import { Texts } from './texts.ts'

/** What all plans over some rules share: the automaton of their literals, and scanners at rest. */
export class Gate {
  readonly #automaton: LiteralAutomaton
  /** The rule of each group of literals; of alternatives -1 - their bit. */
  readonly #owners: Int32Array
  readonly #ruleCount: number
  readonly #nodeCount: number
  readonly #atRest: Scanner[] = []
  readonly #hasNoRoom = new Set<number>()
  /** By rule index: the set of just that rule. */
  readonly #sole: readonly RuleBits[]

  constructor(rules: readonly GatedRule[], ruleCount: number, nodeCount: number) {
    const groups: (readonly string[])[] = []
    const owners: number[] = []
    // First, so that there is room for them: without their literals a mask would rule out too much.
    for (const { literals, bit } of rules.flatMap(rule => rule.alternatives)) {
      if (bit < 0) continue
      groups.push(literals)
      owners.push(-1 - bit)
    }
    for (const rule of rules) {
      for (const literals of rule.literals) {
        groups.push(literals)
        owners.push(rule.index)
      }
    }
    this.#automaton = buildLiteralAutomaton(groups)
    this.#owners = Int32Array.from(owners)
    this.#ruleCount = ruleCount
    this.#nodeCount = nodeCount
    this.#sole = Array.from({ length: ruleCount }, (_, index) => {
      const bits = newRuleBits(ruleCount)
      addRule(bits, index)
      return bits
    })
    for (const group of this.#automaton.left) this.#hasNoRoom.add(owners[group]!)
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
    return new Scanner(new Texts(this.#automaton, this.#owners, this.#ruleCount, this.#nodeCount), this.#sole)
  }

  giveBack(scanner: Scanner): void {
    scanner.rest()
    if (this.#atRest.length < scannersAtRestMax) this.#atRest.push(scanner)
  }
}

const scannersAtRestMax = 16
