import { ByteSet } from '../../regex/index.ts'
import type { Operator } from '../operators/index.ts'
import type { CompiledLink, CompiledRule } from '../program/compiled.ts'
import type { Phase } from '../program/draft.ts'
import type { TransformNode } from '../program/transform-trie.ts'
import type { Freshness, Variable } from '../variables/state.ts'
import { type Kinds, kindsOf } from './byte-kinds.ts'
import { type NeededKinds, neededKinds } from './needed-kinds.ts'

/** The first link of a rule as a test of one value, with conditions that exclude values cheaply. */
export interface PrefilteredRule extends PrefilterFacts {
  readonly rule: CompiledRule
  readonly index: number
  readonly operator: Operator
  readonly negated: boolean
  readonly node: TransformNode
  /** With `multiMatch`: every node whose value is tested, `node` among them. */
  readonly path: readonly TransformNode[] | undefined
}

/** The prefilter facts of a rule: its needs after the automaton of all literals is built. */
export interface PrefilterFacts {
  /** Number of lists of literals; a matching value holds a literal of each. */
  readonly literalLists: number
  /** Minimum number of bytes. */
  readonly lengthMin: number
  /** `RuleNeeds.alternatives`, four words each: kinds (low, high), and bits of literals (`Alternative.bit`). */
  readonly masks: Int32Array
  readonly neededKinds: NeededKinds
}

/** Conditions on every value that matches the first link of a rule. */
export interface RuleNeeds {
  /** The value holds a literal of each list … */
  readonly lists: readonly (readonly string[])[]
  /** … and a byte or literal of each alternative. */
  readonly alternatives: readonly Alternative[]
  /** The kinds of bytes that all of this takes. */
  readonly kinds: NeededKinds
}

/** Some byte of the kinds, or one of the literals. */
export interface Alternative {
  readonly kinds: Kinds
  /** Of two bytes or more. */
  readonly literals: readonly string[]
  /** Bit for the literals in a mask of 64 bits; -1 if there are none. */
  readonly bit: number
}

/**
 * Whether the rule can be tested value by value, or count by count, independently of other rules. Its first link must
 * depend only on values of the request or response. For rules of earlier phases, values may still be incomplete.
 */
export function isPrefiltered(link: CompiledLink, phase: Phase): boolean {
  if (link.operator === undefined || link.operator.macros.length > 0) return false
  if (link.targets.some(({ count }) => count !== link.targets[0]!.count)) return false
  return link.targets.every(({ variable }) => hasValuesIn(variable, phase))
}

/** Whether the values of the variable are the same for all rules of the phase. */
export function hasValuesIn({ freshness }: Variable, phase: Phase): boolean {
  return phase >= firstPhaseOf[freshness]
}

/** Whether the prefiltered rule tests numbers of values, not values. */
export function isCounting({ links }: CompiledRule): boolean {
  return links[0]!.targets.every(({ count }) => count)
}

/** The first phase in which the values are the same for all rules of the phase. */
const firstPhaseOf: Readonly<Record<Freshness, number>> = {
  request: 1,
  body: 1,
  response: 3,
  'response-body': 4,
  always: Number.POSITIVE_INFINITY,
}

/** @param bits number of assigned bits */
export function needsOf({ operator, negated }: CompiledLink, bits: { given: number }): RuleNeeds {
  const lists: (readonly string[])[] = []
  const alternatives: Alternative[] = []
  const requirements = negated ? [] : operator!.requirements
  for (const clause of requirements) {
    if (clause.kind === 'bytes') alternatives.push({ kinds: kindsOf(clause.bytes), literals: [], bit: -1 })
    else if (clause.literals.every(literal => literal.length > 1)) lists.push(clause.literals)
    else {
      const bytes = ByteSet.of(clause.literals.filter(isByte).map(literal => literal.charCodeAt(0)))
      const longer = clause.literals.filter(literal => !isByte(literal))
      // Without a free bit, the alternative is dropped.
      if (longer.length > 0 && bits.given === bitsConsidered) continue
      const bit = longer.length > 0 ? bits.given++ : -1
      alternatives.push({ kinds: kindsOf(bytes.folded()), literals: longer, bit })
    }
  }
  return { lists, alternatives, kinds: neededKinds(requirements) }
}

export function prefilterFacts({ lists, alternatives, kinds }: RuleNeeds): PrefilterFacts {
  return {
    literalLists: lists.length,
    lengthMin: Math.max(0, ...lists.map(shortest)),
    masks: Int32Array.from(alternatives.flatMap(maskOf)),
    neededKinds: kinds,
  }
}

export function prefilteredRule(rule: CompiledRule, facts: PrefilterFacts): PrefilteredRule {
  const link = rule.links[0]!
  return {
    rule,
    index: rule.info.index,
    operator: link.operator!,
    negated: link.negated,
    node: link.transform,
    path: link.multiMatch,
    ...facts,
  }
}

const bitsConsidered = 64

function shortest(literals: readonly string[]): number {
  return literals.reduce((length, literal) => Math.min(length, literal.length), Number.POSITIVE_INFINITY)
}

function isByte(literal: string): boolean {
  return literal.length === 1
}

function maskOf({ kinds, bit }: Alternative): number[] {
  return [kinds.low, kinds.high, bit >= 0 && bit < 32 ? 1 << bit : 0, bit >= 32 ? 1 << (bit - 32) : 0]
}
