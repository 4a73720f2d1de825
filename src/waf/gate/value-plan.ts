import type { CompiledTarget } from '../program/compiled.ts'
import type { TransformNode } from '../program/transform-trie.ts'
import type { Variable } from '../variables/state.ts'
import type { GatedRule } from './gated-rule.ts'
import type { Memo } from './memo.ts'

/** What is asked of the values of one variable with one key (or any other key): which rules, after which transformations. */
export class ValuePlan {
  /** By rule index; undefined for rules that are not asked. */
  readonly rules: readonly (GatedRule | undefined)[]
  /** Nodes besides the root, parents first. */
  readonly nodes: readonly TransformNode[]
  /** Five numbers a node, at hand without a look at the node: see `nodeFacts`. */
  readonly nodeFacts: Int32Array
  /** Some byte of these must be there for any node to change more than case … */
  readonly triggersLow: number
  readonly triggersHigh: number
  /** … unless one of these makes anything of it that some rule could match. */
  readonly always: readonly TransformNode[]
  /** By node id: a shorter text matches no rule at the node or below it. */
  readonly lengthMin: Int32Array
  /** A scan for literals is worth it. */
  readonly scansLiterals: boolean
  /** Rules that the scan finds. */
  readonly byLiterals: Uint8Array
  /** Rules that only kinds of bytes can rule out, or nothing. */
  readonly others: readonly GatedRule[]
  /** Of these, what is left for texts that hold the same, by a hash of what they hold. */
  readonly #plausible = new Array<Plausible | undefined>(1 << plausibleBits).fill(undefined)
  /** Answers for values seen before; undefined when it does not pay. */
  readonly memo: Memo | undefined

  constructor(
    rules: readonly GatedRule[],
    ruleCount: number,
    hasNoRoom: (rule: GatedRule) => boolean,
    memo: Memo | undefined,
  ) {
    const byIndex: (GatedRule | undefined)[] = Array(ruleCount).fill(undefined)
    for (const rule of rules) byIndex[rule.index] = rule
    this.rules = byIndex
    this.nodes = nodesOf(rules)
    this.nodeFacts = Int32Array.from(this.nodes.flatMap(factsOf))
    this.triggersLow = this.nodes.reduce((all, node) => all | (node.triggers?.low ?? 0), 0)
    this.triggersHigh = this.nodes.reduce((all, node) => all | (node.triggers?.high ?? 0), 0)
    this.always = this.nodes.filter(node => node.triggers === undefined)
    this.lengthMin = lengthsMin(this.nodes, rules)
    const found = rules.filter(rule => rule.literals.length > 0 && !hasNoRoom(rule))
    this.scansLiterals = found.length > scanPaysFrom
    this.byLiterals = new Uint8Array(ruleCount)
    if (this.scansLiterals) for (const rule of found) this.byLiterals[rule.index] = 1
    this.others = rules.filter(rule => this.byLiterals[rule.index] === 0)
    this.memo = rules.length > memoPaysFrom ? memo : undefined
  }

  /**
   * The `others` that a text does not rule out.
   * @param low kinds of bytes in it, as are `high`; `first` and `second` are its bits of alternatives
   */
  plausible(low: number, high: number, first: number, second: number): readonly GatedRule[] {
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

/** Its id, its parent's, what triggers its step (low, high), and whether this folds case (1), or changes anything (2). */
export const nodeFacts = { id: 0, parent: 1, low: 2, high: 3, flags: 4, count: 5 } as const

function factsOf({ id, parent, triggers, step }: TransformNode): number[] {
  const flags = (step.foldsCase ? 1 : 0) | (triggers === undefined ? 2 : 0)
  return [id, parent!.id, triggers?.low ?? 0, triggers?.high ?? 0, flags]
}

interface Plausible {
  readonly low: number
  readonly high: number
  readonly first: number
  readonly second: number
  readonly rules: readonly GatedRule[]
}

const plausiblePaysFrom = 5
const plausibleBits = 6

function mayHold(masks: Int32Array, low: number, high: number, first: number, second: number): boolean {
  for (let i = 0; i < masks.length; i += 4) {
    const common =
      (low & masks[i]!) | (high & masks[i + 1]!) | (first & masks[i + 2]!) | (second & masks[i + 3]!)
    if (common === 0) return false
  }
  return true
}

/** So many rules can be asked one by one for what a scan costs. */
const scanPaysFrom = 2
const memoPaysFrom = 3

/** The plans for the values of one variable at one stage of the request. */
export class VariablePlan {
  readonly variable: Variable
  /** For keys that rules name. */
  readonly #byKey: ReadonlyMap<string, ValuePlan | undefined>
  /** For all other keys; undefined when no rule looks at these. */
  readonly #other: ValuePlan | undefined

  /** @param make undefined for no rules */
  constructor(
    variable: Variable,
    rules: readonly GatedRule[],
    make: (rules: readonly GatedRule[]) => ValuePlan | undefined,
  ) {
    this.variable = variable
    const keys = new Set(rules.flatMap(rule => keysNamed(rule, variable)))
    this.#byKey = new Map(
      [...keys].map(key => [key, make(rules.filter(rule => looksAt(rule, variable, key)))]),
    )
    this.#other = make(rules.filter(rule => looksAt(rule, variable, undefined)))
  }

  /** Are keys told apart? Then `of` wants them. */
  get namesKeys(): boolean {
    return this.#byKey.size > 0
  }

  /** @param folded the key in lower case; not looked at unless `namesKeys` */
  of(folded: string): ValuePlan | undefined {
    return this.#byKey.has(folded) ? this.#byKey.get(folded) : this.#other
  }
}

/** Besides the root, parents first. */
function nodesOf(rules: readonly GatedRule[]): TransformNode[] {
  const nodes = new Set<TransformNode>()
  for (const { node } of rules) {
    for (let step: TransformNode | undefined = node; step?.parent !== undefined; step = step.parent)
      nodes.add(step)
  }
  // A parent is made before its children.
  return [...nodes].sort((a, b) => a.id - b.id)
}

/** Below a node whose step makes texts longer nothing is known. */
function lengthsMin(nodes: readonly TransformNode[], rules: readonly GatedRule[]): Int32Array {
  const lengths = new Int32Array(Math.max(0, ...nodes.map(node => node.id)) + 1).fill(maxLength)
  const lower = (node: TransformNode, length: number): void => {
    lengths[node.id] = Math.min(lengths[node.id]!, length)
  }
  for (const { node, path, lengthMin } of rules) for (const tested of path ?? [node]) lower(tested, lengthMin)
  for (const node of nodes.toReversed()) {
    if (node.parent !== undefined) lower(node.parent, node.step.grows ? 0 : lengths[node.id]!)
  }
  return lengths
}

const maxLength = 0x7fffffff

function keysNamed({ rule }: GatedRule, variable: Variable): string[] {
  return targetsOn(rule.links[0]!.targets, variable).flatMap(({ key, exclusions }) => [
    ...(key === undefined ? [] : [key]),
    ...exclusions.flatMap(exclusion => exclusion.key ?? []),
  ])
}

/** May the rule look at values with that key (undefined: one that no rule names)? Patterns of keys are not tried here. */
function looksAt({ rule }: GatedRule, variable: Variable, key: string | undefined): boolean {
  return targetsOn(rule.links[0]!.targets, variable).some(
    target =>
      (target.key === undefined || target.key === key) &&
      !(key !== undefined && target.exclusions.some(exclusion => exclusion.key === key)),
  )
}

function targetsOn(targets: readonly CompiledTarget[], variable: Variable): CompiledTarget[] {
  return targets.filter(target => target.variable === variable)
}
