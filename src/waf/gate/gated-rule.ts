import { ByteSet } from '../../regex/index.ts'
import type { Operator } from '../operators/index.ts'
import type { CompiledLink, CompiledRule } from '../program/compiled.ts'
import type { Phase } from '../program/draft.ts'
import type { TransformNode } from '../program/transform-trie.ts'
import type { Freshness } from '../variables/state.ts'
import { type Kinds, kindsOf } from './byte-kinds.ts'

/** The first link of a rule as a question to one value, with what rules it out cheaply. */
export interface GatedRule extends GateFacts {
  readonly rule: CompiledRule
  readonly index: number
  readonly operator: Operator
  readonly negated: boolean
  readonly node: TransformNode
  /** With `multiMatch`: every node whose value is tested, `node` among them. */
  readonly path: readonly TransformNode[] | undefined
}

/** What is left of its needs once the automaton of all literals is made. */
export interface GateFacts {
  /** Lists of literals of which a matching text holds one each. */
  readonly literalLists: number
  /** It has so many bytes at least. */
  readonly lengthMin: number
  /** `RuleNeeds.alternatives`, four words each: kinds (low, high), and bits of literals (`Alternative.bit`). */
  readonly masks: Int32Array
}

/** What every text holds that the first link of a rule matches. */
export interface RuleNeeds {
  /** One literal of each list. */
  readonly lists: readonly (readonly string[])[]
  /** And something of each of these. */
  readonly alternatives: readonly Alternative[]
}

/** Some byte of the kinds, or one of the literals. */
export interface Alternative {
  readonly kinds: Kinds
  /** Of two bytes or more. */
  readonly literals: readonly string[]
  /** Stands for the literals in a mask of 64 bits; -1 without any. */
  readonly bit: number
}

/**
 * Can the rule be asked value by value, apart from all other rules? Its first link must depend on values of the request
 * or response alone, and look at the values themselves. Rules of phases before the response see what stands there instead.
 */
export function isGated(link: CompiledLink, phase: Phase): boolean {
  if (link.operator === undefined || link.operator.macros.length > 0) return false
  return link.targets.every(target => !target.count && phase >= firstPhaseOf[target.variable.freshness])
}

/** From which on values are looked at for all rules of the phase alike. */
const firstPhaseOf: Readonly<Record<Freshness, number>> = {
  request: 1,
  body: 1,
  response: 3,
  'response-body': 4,
  always: Number.POSITIVE_INFINITY,
}

/** @param bits numbers of alternatives with literals given so far */
export function needsOf({ operator, negated }: CompiledLink, bits: { given: number }): RuleNeeds {
  const lists: (readonly string[])[] = []
  const alternatives: Alternative[] = []
  for (const clause of negated ? [] : operator!.requirements) {
    if (clause.kind === 'bytes') alternatives.push({ kinds: kindsOf(clause.bytes), literals: [], bit: -1 })
    else if (clause.literals.every(literal => literal.length > 1)) lists.push(clause.literals)
    else {
      const bytes = ByteSet.of(clause.literals.filter(isByte).map(literal => literal.charCodeAt(0)))
      const longer = clause.literals.filter(literal => !isByte(literal))
      // Without a bit left the alternative says nothing.
      if (longer.length > 0 && bits.given === bitsMax) continue
      const bit = longer.length > 0 ? bits.given++ : -1
      alternatives.push({ kinds: kindsOf(bytes.folded()), literals: longer, bit })
    }
  }
  return { lists, alternatives }
}

export function gateFacts({ lists, alternatives }: RuleNeeds): GateFacts {
  return {
    literalLists: lists.length,
    lengthMin: Math.max(0, ...lists.map(shortest)),
    masks: Int32Array.from(alternatives.flatMap(maskOf)),
  }
}

export function gatedRule(rule: CompiledRule, { literalLists, lengthMin, masks }: GateFacts): GatedRule {
  const link = rule.links[0]!
  return {
    rule,
    index: rule.info.index,
    operator: link.operator!,
    negated: link.negated,
    node: link.transform,
    path: link.multiMatch,
    literalLists,
    lengthMin,
    masks,
  }
}

const bitsMax = 64

function shortest(literals: readonly string[]): number {
  return literals.reduce((length, literal) => Math.min(length, literal.length), Number.POSITIVE_INFINITY)
}

function isByte(literal: string): boolean {
  return literal.length === 1
}

function maskOf({ kinds, bit }: Alternative): number[] {
  return [kinds.low, kinds.high, bit >= 0 && bit < 32 ? 1 << bit : 0, bit >= 32 ? 1 << (bit - 32) : 0]
}
