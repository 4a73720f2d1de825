import type { PackReader, PackWriter } from '../../kit/packing.ts'
import { buildLiteralAutomaton, type LiteralAutomaton } from './literal-automaton.ts'
import type { RuleNeeds } from './prefiltered-rule.ts'

/** Tables that find the literals of some rules. Immutable, and only numbers. */
export interface PrefilterTables {
  readonly automaton: LiteralAutomaton
  /** The rule of each group of literals; -1 - bit for alternatives. */
  readonly owners: Int32Array
}

/** @param rules by index */
export function buildPrefilterTables(rules: ReadonlyMap<number, RuleNeeds>): PrefilterTables {
  const groups: (readonly string[])[] = []
  const owners: number[] = []
  // First, so that they fit: without their literals a mask would exclude too much.
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

export function packPrefilterTables({ automaton, owners }: PrefilterTables, pack: PackWriter): void {
  pack.number(automaton.firstEnd)
  pack.numbers(wordsOf(automaton.next))
  pack.numbers(automaton.endsFrom)
  pack.numbers(automaton.ends)
  pack.numbers(Int32Array.from(automaton.left))
  pack.numbers(owners)
}

/** Reads tables that `packPrefilterTables` has written; they keep using the packed bytes. */
export function unpackPrefilterTables(pack: PackReader): PrefilterTables {
  const automaton = {
    firstEnd: pack.number(),
    next: halfWordsOf(pack.numbers()),
    endsFrom: pack.numbers(),
    ends: pack.numbers(),
    left: new Set(pack.numbers()),
  }
  return { automaton, owners: pack.numbers() }
}

/** The same memory. Rows of the automaton have an even number of columns. */
function wordsOf({ buffer, byteOffset, length }: Uint16Array): Int32Array {
  return new Int32Array(buffer, byteOffset, length / 2)
}

function halfWordsOf({ buffer, byteOffset, length }: Int32Array): Uint16Array {
  return new Uint16Array(buffer, byteOffset, length * 2)
}
