import type { TransformNode } from '../program/transform-trie.ts'
import type { Kinds } from './byte-kinds.ts'
import { coarseHigh, mayHaveKinds } from './needed-kinds.ts'
import type { PrefilteredRule } from './prefiltered-rule.ts'

/**
 * The steps that may change values with the same kinds of bytes, before a rule that may match then. A node is active if
 * some step on its path is one of them. At any other node the value is the original, except for its case, or no rule can
 * match: neither the result nor the original.
 */
export interface ActiveSteps {
  /** The kinds, coarse: see `coarseHigh`. */
  readonly low: number
  readonly high: number
  /** Whether the value may have a byte that triggers an active step. */
  readonly isTriggered: boolean
  /** Active nodes whose step may change any value. */
  readonly always: readonly TransformNode[]
  /** Active nodes, parents first. */
  readonly nodes: readonly TransformNode[]
  /** `stepFacts` of each. */
  readonly facts: Int32Array
  /** By node id: 1 for an active one. */
  readonly isActive: Uint8Array
  /** Rules for active nodes that no scan for literals finds, and that may match. */
  readonly others: readonly PrefilteredRule[]
}

/**
 * Numbers of a node, readable without a look at the node:
 * - `id`, and `parent`: the parent's id, or 0 if the parent is inactive;
 * - `parentFolds`: 1 if an inactive parent folds case;
 * - `low`, `high`: triggers of its step;
 * - `flags`: the step folds case (1), changes any value (2), some rule may match the result (4);
 * - `step`: number of its step in the plan;
 * - `sameAs`: id of the first node with the same result, or 0.
 */
export const stepFacts = {
  id: 0,
  parent: 1,
  parentFolds: 2,
  low: 3,
  high: 4,
  flags: 5,
  step: 6,
  sameAs: 7,
  count: 8,
} as const

/** The active steps of one plan, by kinds of bytes. */
export class StepLists {
  readonly #nodes: readonly TransformNode[]
  readonly #rules: readonly PrefilteredRule[]
  readonly #isFound: (rule: PrefilteredRule) => boolean
  /** `stepFacts` of all nodes, for values of any kinds. */
  readonly #facts: Int32Array
  readonly #idMax: number
  /** By a hash of the kinds. */
  readonly #known = new Array<ActiveSteps | undefined>(1 << knownBits).fill(undefined)

  /**
   * @param nodes of the plan, parents first
   * @param isFound whether a scan for literals finds the rule
   */
  constructor(
    nodes: readonly TransformNode[],
    rules: readonly PrefilteredRule[],
    isFound: (rule: PrefilteredRule) => boolean,
  ) {
    this.#nodes = nodes
    this.#rules = rules
    this.#isFound = isFound
    const steps = [...new Set(nodes.map(node => node.step))]
    this.#facts = Int32Array.from(nodes.flatMap(node => factsOf(node, steps.indexOf(node.step))))
    this.#idMax = Math.max(0, ...nodes.map(node => node.id))
  }

  /** For values with these kinds of bytes. */
  of(low: number, high: number): ActiveSteps {
    const coarse = coarseHigh(high)
    const slot = Math.imul(low ^ Math.imul(coarse, 0x9e3779b1), 0x85ebca6b) >>> (32 - knownBits)
    const known = this.#known[slot]
    if (known !== undefined && known.low === low && known.high === coarse) return known
    const made = this.#make({ low, high: coarse })
    this.#known[slot] = made
    return made
  }

  /** Hostile values have new kinds each time, so this must be cheap. */
  #make(kinds: Kinds): ActiveSteps {
    const nodes: TransformNode[] = []
    const all = this.#facts
    const facts = new Int32Array(all.length)
    const isActive = new Uint8Array(this.#idMax + 1)
    const { isTested, isWanted } = this.#usesOf(kinds)
    /** By id of an active node: the first one with the same result, and where its facts begin. */
    const firsts = new Uint16Array(this.#idMax + 1)
    const offsets = new Uint16Array(this.#idMax + 1)
    for (let i = 0; i < this.#nodes.length; i++) {
      const from = i * stepFacts.count
      const id = all[from + stepFacts.id]!
      const parent = all[from + stepFacts.parent]!
      if (isWanted[id] === 0 || !(isActive[parent] === 1 || mayChange(this.#nodes[i]!, kinds))) continue
      const to = nodes.length * stepFacts.count
      for (let fact = 0; fact < stepFacts.count; fact++) facts[to + fact] = all[from + fact]!
      if (isActive[parent] === 1) facts[to + stepFacts.parentFolds] = 0
      else facts[to + stepFacts.parent] = 0
      const sameAs = this.#nodes[i]!.step.reaches === undefined ? firstLike(facts, to, firsts) : 0
      facts[to + stepFacts.sameAs] = sameAs
      firsts[id] = sameAs === 0 ? id : sameAs
      offsets[id] = sameAs === 0 ? to : offsets[sameAs]!
      if (isTested[id] === 1) facts[offsets[id] + stepFacts.flags]! |= 4
      isActive[id] = 1
      nodes.push(this.#nodes[i]!)
    }
    return {
      ...kinds,
      isTriggered: nodes.some(node => node.triggers !== undefined && mayChange(node, kinds)),
      always: nodes.filter(node => node.triggers === undefined),
      nodes,
      facts,
      isActive,
      others: this.#rules.filter(
        rule => isActive[rule.node.id] === 1 && isTested[rule.node.id] === 1 && !this.#isFound(rule),
      ),
    }
  }

  /** By id of a node: 1 if a rule may match its result, and 1 if that or some result after it is so. */
  #usesOf(kinds: Kinds): { readonly isTested: Uint8Array; readonly isWanted: Uint8Array } {
    const possible: Kinds[] = [kinds]
    for (const node of this.#nodes) {
      const before = possible[node.parent!.id]!
      possible[node.id] = mayChange(node, before) ? union(before, node.introduces) : before
    }
    const isTested = new Uint8Array(this.#idMax + 1)
    for (const { neededKinds, node, path } of this.#rules) {
      for (const { id } of path ?? [node]) {
        if (isTested[id] === 0 && mayHaveKinds(neededKinds, possible[id]!)) isTested[id] = 1
      }
    }
    const isWanted = isTested.slice()
    for (let i = this.#nodes.length - 1; i >= 0; i--) {
      const { id, parent } = this.#nodes[i]!
      if (isWanted[id] === 1) isWanted[parent!.id] = 1
    }
    return { isTested, isWanted }
  }
}

function mayChange({ triggers }: TransformNode, { low, high }: Kinds): boolean {
  return triggers === undefined || ((triggers.low & low) | (triggers.high & high)) !== 0
}

function union(some: Kinds, more: Kinds): Kinds {
  return { low: some.low | more.low, high: coarseHigh(some.high | more.high) }
}

const knownBits = 8

function factsOf({ id, step, parent, triggers }: TransformNode, number: number): number[] {
  const { low, high } = triggers ?? { low: 0, high: 0 }
  const flags = (step.foldsCase ? 1 : 0) | (triggers === undefined ? 2 : 0)
  return [id, parent!.id, parent!.foldsCase ? 1 : 0, low, high, flags, number, 0]
}

/**
 * The id of the first node that applies the same step to the same value as the last one; 0 for none. A step with
 * `reaches` has no such node: the rules below a node decide whether it runs.
 */
function firstLike(facts: Int32Array, last: number, firsts: Uint16Array): number {
  for (let at = 0; at < last; at += stepFacts.count) {
    if (
      facts[at + stepFacts.step] === facts[last + stepFacts.step] &&
      facts[at + stepFacts.parentFolds] === facts[last + stepFacts.parentFolds] &&
      firsts[facts[at + stepFacts.parent]!] === firsts[facts[last + stepFacts.parent]!]
    ) {
      return facts[at + stepFacts.id]!
    }
  }
  return 0
}
