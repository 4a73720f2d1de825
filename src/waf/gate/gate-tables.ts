import type { PackReader, PackWriter } from '../../kit/packing.ts'
import type { RuleNeeds } from './gated-rule.ts'
import { buildLiteralAutomaton, type LiteralAutomaton } from './literal-automaton.ts'

/** What finds the literals of some rules. Immutable, and nothing but numbers. */
export interface GateTables {
  readonly automaton: LiteralAutomaton
  /** The rule of each group of literals; of alternatives -1 - their bit. */
  readonly owners: Int32Array
}

/** @param rules by index */
export function buildGateTables(rules: ReadonlyMap<number, RuleNeeds>): GateTables {
  const groups: (readonly string[])[] = []
  const owners: number[] = []
  // First, so that there is room for them: without their literals a mask would rule out too much.
  for (const { alternatives } of rules.values()) {
    for (const { literals, bit } of alternatives) {
      if (bit < 0) continue
      groups.push(literals)
      owners.push(-1 - bit)
    }
  }
  for (const [index, { lists }] of rules) {
    for (const literals of lists) {
      groups.push(literals)
      owners.push(index)
    }
  }
  return { automaton: buildLiteralAutomaton(groups), owners: Int32Array.from(owners) }
}

export function packGateTables({ automaton, owners }: GateTables, pack: PackWriter): void {
  pack.number(automaton.firstEnd)
  pack.numbers(automaton.next)
  pack.numbers(automaton.endsFrom)
  pack.numbers(automaton.ends)
  pack.numbers(Int32Array.from(automaton.left))
  pack.numbers(owners)
}

/** The tables that `packGateTables` has written; they go on using the packed bytes. */
export function unpackGateTables(pack: PackReader): GateTables {
  const automaton = {
    firstEnd: pack.number(),
    next: pack.numbers(),
    endsFrom: pack.numbers(),
    ends: pack.numbers(),
    left: new Set(pack.numbers()),
  }
  return { automaton, owners: pack.numbers() }
}
