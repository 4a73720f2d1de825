import type { CompiledTarget } from '../program/compiled.ts'
import type { TransformNode } from '../program/transform-trie.ts'
import type { Entry } from '../variables/entry.ts'
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
  readonly #gate: LiteralGate
  /** Worked out when first met. */
  readonly #ends: LiteralEnd[] = []
  /** By number of the end state: 1 + the place in `#ends`, or 0. */
  readonly #endPlaces: Uint16Array
  /** Of these, what is left for texts that hold the same, by a hash of what they hold. */
  readonly #plausible = new Array<Plausible | undefined>(1 << plausibleBits).fill(undefined)
  /** Answers for values seen before; undefined when it does not pay. */
  readonly memo: Memo | undefined

  constructor(rules: readonly GatedRule[], ruleCount: number, gate: LiteralGate, memo: Memo | undefined) {
    this.#gate = gate
    const byIndex: (GatedRule | undefined)[] = Array(ruleCount).fill(undefined)
    for (const rule of rules) byIndex[rule.index] = rule
    this.rules = byIndex
    this.nodes = nodesOf(rules)
    this.nodeFacts = Int32Array.from(this.nodes.flatMap(factsOf))
    this.triggersLow = this.nodes.reduce((all, node) => all | (node.triggers?.low ?? 0), 0)
    this.triggersHigh = this.nodes.reduce((all, node) => all | (node.triggers?.high ?? 0), 0)
    this.always = this.nodes.filter(node => node.triggers === undefined)
    this.lengthMin = lengthsMin(this.nodes, rules)
    const found = rules.filter(rule => rule.literalLists > 0 && !gate.hasNoRoom(rule))
    this.scansLiterals = found.length > scanPaysFrom
    this.#endPlaces = new Uint16Array(this.scansLiterals ? gate.endCount : 0)
    this.byLiterals = new Uint8Array(ruleCount)
    if (this.scansLiterals) for (const rule of found) this.byLiterals[rule.index] = 1
    this.others = rules.filter(rule => this.byLiterals[rule.index] === 0)
    this.memo = rules.length > memoPaysFrom ? memo : undefined
  }

  /** What the literals that end in the automaton's end state of that number mean here. */
  endOf(end: number): LiteralEnd {
    const place = this.#endPlaces[end]!
    if (place > 0) return this.#ends[place - 1]!
    const made = this.#gate.literalEnd(end, rule => this.byLiterals[rule] === 1)
    this.#endPlaces[end] = this.#ends.push(made)
    return made
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

/** The part of the gate that plans ask. */
export interface LiteralGate {
  /** Are some of the rule's literals not looked for? */
  readonly hasNoRoom: (rule: GatedRule) => boolean
  /** States in which literals end. */
  readonly endCount: number
  readonly literalEnd: (end: number, asks: (rule: number) => boolean) => LiteralEnd
}

/** What is met where literals end. */
export interface LiteralEnd {
  /** Bits of alternatives. */
  readonly first: number
  readonly second: number
  /** Pairs of a group of literals and the rule that waits for it. */
  readonly rules: Int32Array
}

interface Plausible {
  readonly low: number
  readonly high: number
  readonly first: number
  readonly second: number
  readonly rules: readonly GatedRule[]
}

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

/** So many rules can be asked one by one for what a scan costs. */
const scanPaysFrom = 2
const memoPaysFrom = 1

/** The plans for the values of one variable at one stage of the request. */
export class VariablePlan {
  readonly variable: Variable
  /** For keys that rules name. */
  readonly #byKey: ReadonlyMap<string, ValuePlan | undefined>
  /** 1 at the lengths of these keys. */
  readonly #keyLengths: Uint8Array
  /** For all other keys; undefined when no rule looks at these. */
  readonly other: ValuePlan | undefined

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
    this.#keyLengths = new Uint8Array(Math.max(0, ...[...keys].map(key => key.length)) + 1)
    for (const key of keys) this.#keyLengths[key.length] = 1
    this.other = make(rules.filter(rule => looksAt(rule, variable, undefined)))
  }

  /** The plan for a value with the entry's key. */
  of(entry: Entry): ValuePlan | undefined {
    // Most keys need no look-up, and are not put in lower case for it.
    if (this.#keyLengths[entry.key.length] !== 1) return this.other
    const { folded } = entry
    return this.#byKey.has(folded) ? this.#byKey.get(folded) : this.other
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
