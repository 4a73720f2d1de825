import { holds, type MacroView } from '../operators/index.ts'
import type { CompiledTarget } from '../program/compiled.ts'
import type { TransformNode } from '../program/transform-trie.ts'
import { Entry } from '../variables/entry.ts'
import type { Variable } from '../variables/state.ts'
import { StepLists } from './active-steps.ts'
import { highFacts, lowKind, upperCase } from './byte-kinds.ts'
import type { Memo } from './memo.ts'
import type { PrefilteredRule } from './prefiltered-rule.ts'
import type { UsualValues } from './usual-values.ts'

/** The tests for values of one variable with one key (or any other key): rules, each after its transformations. */
export class ValuePlan {
  /** By rule index; undefined for other rules. */
  readonly rules: readonly (PrefilteredRule | undefined)[]
  /** Nodes besides the root, parents first. */
  readonly nodes: readonly TransformNode[]
  /** By node id: a shorter value matches no rule at the node or below it. */
  readonly lengthMin: Int32Array
  /** Whether a scan for literals is worth it. */
  readonly scansLiterals: boolean
  /** Rules that the scan finds. */
  readonly byLiterals: Uint8Array
  /** Rules that only kinds of bytes can exclude, or nothing can. */
  readonly others: readonly PrefilteredRule[]
  /** The only rule, if the kinds of bytes in a value can exclude it. */
  readonly #sole: SoleRule | undefined
  readonly #prefilter: LiteralPrefilter
  /** Computed at first use. The first one has no meaning. */
  readonly #ends: LiteralEnd[] = [new Int32Array(0)]
  /** By number of the end state: 1 + the index in `#ends`, or 0. */
  readonly #endIndexes: Uint16Array
  /** Cache of `plausible`, by a hash of its arguments. */
  readonly #plausible = new Array<Plausible | undefined>(1 << plausibleBits).fill(undefined)
  /** The steps that values with some kinds of bytes need. */
  readonly steps: StepLists
  /** Results for values of small vocabularies; see `isUsual`. */
  readonly usual: UsualValues | undefined
  /** Results for other known values; undefined if it does not pay. */
  readonly memo: Memo | undefined

  constructor(
    rules: readonly PrefilteredRule[],
    ruleCount: number,
    prefilter: LiteralPrefilter,
    usual: UsualValues | undefined,
    memo: Memo | undefined,
  ) {
    this.#prefilter = prefilter
    const byIndex: (PrefilteredRule | undefined)[] = Array(ruleCount).fill(undefined)
    for (const rule of rules) byIndex[rule.index] = rule
    this.rules = byIndex
    this.nodes = nodesOf(rules)
    this.lengthMin = lengthsMin(this.nodes, rules)
    const found = rules.filter(rule => rule.literalLists > 0 && !prefilter.lacksLiterals(rule))
    this.scansLiterals = found.length > scanPaysFrom
    this.#endIndexes = new Uint16Array(this.scansLiterals ? prefilter.endCount : 0)
    this.byLiterals = new Uint8Array(ruleCount)
    if (this.scansLiterals) for (const rule of found) this.byLiterals[rule.index] = 1
    this.others = rules.filter(rule => this.byLiterals[rule.index] === 0)
    this.#sole = this.scansLiterals || rules.length > 1 ? undefined : soleRule(rules[0]!, this.nodes)
    this.steps = new StepLists(this.nodes, rules, rule => this.byLiterals[rule.index] === 1)
    this.usual = usual
    this.memo = rules.length > memoPaysFrom ? memo : undefined
  }

  /**
   * Whether the kinds of bytes in a short value exclude the plan's only rule. The scanner would find the same; with many
   * arguments and one rule for them, its preparations cost more than the test.
   */
  excludes(value: string): boolean {
    const sole = this.#sole
    if (sole === undefined || value.length > excludedUpToBytes) return false
    let low = 0
    let high = 0
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i)
      low |= lowKind[code]!
      high |= highFacts[code]!
    }
    if (((low & sole.triggersLow) | (high & sole.triggersHigh)) !== 0) return false
    return !mayHold(sole.masks, low, high & ~upperCase, -1, -1)
  }

  /** The meaning of the automaton's end state for this plan; mostly none. */
  endOf(end: number): LiteralEnd {
    const index = this.#endIndexes[end]!
    if (index > 0) return this.#ends[index - 1]!
    const made = this.#prefilter.literalEnd(end, rule => this.byLiterals[rule] === 1)
    if (made.length === 0) this.#endIndexes[end] = 1
    else this.#endIndexes[end] = this.#ends.push(made)
    return made
  }

  /**
   * The `others` that a value does not exclude.
   * @param low kinds of its bytes, as is `high`; `first` and `second` are its bits of alternatives
   */
  plausible(low: number, high: number, first: number, second: number): readonly PrefilteredRule[] {
    if (this.others.length < plausiblePaysFrom) return this.others
    const hash = Math.imul(low ^ Math.imul(high, 0x9e3779b1) ^ first ^ (second << 7), 0x85ebca6b)
    const slot = hash >>> (32 - plausibleBits)
    const known = this.#plausible[slot]
    if (
      known !== undefined &&
      known.low === low &&
      known.high === high &&
      known.first === first &&
      known.second === second
    ) {
      return known.rules
    }
    const rules = this.others.filter(({ masks }) => mayHold(masks, low, high, first, second))
    this.#plausible[slot] = { low, high, first, second, rules }
    return rules
  }
}

/** The part of the prefilter that plans use. */
export interface LiteralPrefilter {
  /** Whether some of the rule's literals are not searched. */
  readonly lacksLiterals: (rule: PrefilteredRule) => boolean
  /** Number of states in which literals end. */
  readonly endCount: number
  readonly literalEnd: (end: number, asks: (rule: number) => boolean) => LiteralEnd
}

/** Pairs of a group of literals that end in a state, and the rule that waits for the group. */
export type LiteralEnd = Int32Array

interface Plausible {
  readonly low: number
  readonly high: number
  readonly first: number
  readonly second: number
  readonly rules: readonly PrefilteredRule[]
}

/** The only rule of a plan. */
interface SoleRule extends Pick<PrefilteredRule, 'masks'> {
  /** Kinds of bytes that its transformations may change. */
  readonly triggersLow: number
  readonly triggersHigh: number
}

/** Undefined if kinds of bytes cannot exclude the rule. */
function soleRule({ masks }: PrefilteredRule, nodes: readonly TransformNode[]): SoleRule | undefined {
  let triggersLow = 0
  let triggersHigh = 0
  for (const { triggers } of nodes) {
    if (triggers === undefined) return undefined
    triggersLow |= triggers.low
    triggersHigh |= triggers.high
  }
  return masks.length === 0 ? undefined : { masks, triggersLow, triggersHigh }
}

/** A longer value would be read twice for too long if the rule is not excluded. */
const excludedUpToBytes = 64

const plausiblePaysFrom = 5
const plausibleBits = 8

function mayHold(masks: Int32Array, low: number, high: number, first: number, second: number): boolean {
  for (let i = 0; i < masks.length; i += 4) {
    const common =
      (low & masks[i]!) | (high & masks[i + 1]!) | (first & masks[i + 2]!) | (second & masks[i + 3]!)
    if (common === 0) return false
  }
  return true
}

/** This many rules cost as much to test one by one as a scan. */
const scanPaysFrom = 2
const memoPaysFrom = 1

/** The plans for the values of one variable at one stage of the request. */
export class VariablePlan {
  readonly variable: Variable
  /** For keys that rules name; null if no rule tests their values. */
  readonly #byKey: ReadonlyMap<string, ValuePlan | null>
  /** 1 at the lengths of these keys. */
  readonly #keyLengths: Uint8Array
  /** For all other keys; undefined if no rule tests these. */
  readonly other: ValuePlan | undefined
  /** Whether no rule matches the values of a request without a body. */
  readonly needsBody: boolean

  /** @param make returns undefined for no rules */
  constructor(
    variable: Variable,
    rules: readonly PrefilteredRule[],
    make: (rules: readonly PrefilteredRule[]) => ValuePlan | undefined,
  ) {
    this.variable = variable
    const keys = new Set(rules.flatMap(rule => keysNamed(rule, variable)))
    this.#byKey = new Map(
      [...keys].map(key => [key, make(rules.filter(rule => looksAt(rule, variable, key))) ?? null]),
    )
    this.#keyLengths = new Uint8Array(Math.max(0, ...[...keys].map(key => key.length)) + 1)
    for (const key of keys) this.#keyLengths[key.length] = 1
    this.other = make(rules.filter(rule => looksAt(rule, variable, undefined)))
    this.needsBody = variable.withoutBody !== undefined && !matchesSome(rules, variable.withoutBody)
  }

  /** The plan for a value with the entry's key. */
  of(entry: Entry): ValuePlan | undefined {
    // Most keys need neither a look-up nor lower case.
    if (this.#keyLengths[entry.key.length] !== 1) return this.other
    const plan = this.#byKey.get(entry.folded)
    return plan === undefined ? this.other : (plan ?? undefined)
  }
}

function matchesSome(rules: readonly PrefilteredRule[], values: readonly string[]): boolean {
  const entries = values.map(value => new Entry('', value))
  return rules.some(({ operator, negated, node, path }) =>
    entries.some(entry =>
      (path ?? [node]).some(tested => holds(operator, negated, tested.valueOf(entry), noRequest)),
    ),
  )
}

/** Prefiltered rules have no macros, and the values are too short for limits. */
const noRequest: MacroView = { expand: () => '', limitReached: () => {} }

/** Besides the root, parents first. */
function nodesOf(rules: readonly PrefilteredRule[]): TransformNode[] {
  const nodes = new Set<TransformNode>()
  for (const { node } of rules) {
    for (let step: TransformNode | undefined = node; step?.parent !== undefined; step = step.parent)
      nodes.add(step)
  }
  // A parent is made before its children.
  return [...nodes].sort((a, b) => a.id - b.id)
}

/** Below a node whose step makes values longer, there is no minimum. */
function lengthsMin(nodes: readonly TransformNode[], rules: readonly PrefilteredRule[]): Int32Array {
  const lengths = new Int32Array(Math.max(0, ...nodes.map(node => node.id)) + 1).fill(unreachableLength)
  const lower = (node: TransformNode, length: number): void => {
    lengths[node.id] = Math.min(lengths[node.id]!, length)
  }
  for (const { node, path, lengthMin } of rules) for (const tested of path ?? [node]) lower(tested, lengthMin)
  for (const node of nodes.toReversed()) {
    if (node.parent !== undefined) lower(node.parent, node.step.grows ? 0 : lengths[node.id]!)
  }
  return lengths
}

/** No value is so long: no rule tests the node or one below it. */
const unreachableLength = 0x7fffffff

function keysNamed({ rule }: PrefilteredRule, variable: Variable): string[] {
  return targetsOn(rule.links[0]!.targets, variable).flatMap(({ key, exclusions }) => [
    ...(key === undefined ? [] : [key]),
    ...exclusions.flatMap(exclusion => exclusion.key ?? []),
  ])
}

/**
 * Whether the rule may test values with that key (undefined: one that no rule names). Patterns of keys are not
 * evaluated here.
 */
function looksAt({ rule }: PrefilteredRule, variable: Variable, key: string | undefined): boolean {
  return targetsOn(rule.links[0]!.targets, variable).some(
    target =>
      (target.key === undefined || target.key === key) &&
      !(key !== undefined && target.exclusions.some(exclusion => exclusion.key === key)),
  )
}

function targetsOn(targets: readonly CompiledTarget[], variable: Variable): CompiledTarget[] {
  return targets.filter(target => target.variable === variable)
}
