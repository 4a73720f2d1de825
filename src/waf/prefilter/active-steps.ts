import type { TransformNode } from '../program/transform-trie.ts'
import type { PrefilteredRule } from './prefiltered-rule.ts'

/**
 * The steps that may change values with the same kinds of bytes. A node is active if some step on its path is one of
 * them. At any other node the value is the original, except for its case.
 */
export interface ActiveSteps {
  /** The kinds, as far as steps depend on them. */
  readonly low: number
  readonly high: number
  /** Active nodes, parents first. */
  readonly nodes: readonly TransformNode[]
  /** `stepFacts` of each. */
  readonly facts: Int32Array
  /** By node id: 1 for an active one. */
  readonly isActive: Uint8Array
  /** Rules for active nodes that no scan for literals finds. */
  readonly others: readonly PrefilteredRule[]
}

/**
 * Numbers of a node, readable without a look at the node:
 * - `id`, and `parent`: the parent's id, or 0 if the parent is inactive;
 * - `parentFolds`: 1 if an inactive parent folds case;
 * - `low`, `high`: triggers of its step;
 * - `flags`: the step folds case (1), changes any value (2);
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
  readonly #others: readonly PrefilteredRule[]
  /** `stepFacts` of all nodes, for values of any kinds. */
  readonly #facts: Int32Array
  readonly #idMax: number
  /** By a hash of the kinds. */
  readonly #known = new Array<ActiveSteps | undefined>(1 << knownBits).fill(undefined)

  /**
   * @param nodes of the plan, parents first
   * @param others rules that no scan for literals finds
   */
  constructor(nodes: readonly TransformNode[], others: readonly PrefilteredRule[]) {
    this.#nodes = nodes
    this.#others = others
    const steps = [...new Set(nodes.map(node => node.step))]
    this.#facts = Int32Array.from(nodes.flatMap(node => factsOf(node, steps.indexOf(node.step))))
    this.#idMax = Math.max(0, ...nodes.map(node => node.id))
  }

  /** For values with these kinds of bytes. */
  of(low: number, high: number): ActiveSteps {
    const slot = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b) >>> (32 - knownBits)
    const known = this.#known[slot]
    if (known !== undefined && known.low === low && known.high === high) return known
    const made = this.#make(low, high)
    this.#known[slot] = made
    return made
  }

  /** Hostile values have new kinds each time, so this must be cheap. */
  #make(low: number, high: number): ActiveSteps {
    const nodes: TransformNode[] = []
    const all = this.#facts
    const facts = new Int32Array(all.length)
    const isActive = new Uint8Array(this.#idMax + 1)
    /** By id of an active node: the first one with the same result. */
    const firsts = new Uint16Array(this.#idMax + 1)
    for (let i = 0; i < this.#nodes.length; i++) {
      const from = i * stepFacts.count
      const parent = all[from + stepFacts.parent]!
      const changes =
        (all[from + stepFacts.flags]! & 2) |
        (all[from + stepFacts.low]! & low) |
        (all[from + stepFacts.high]! & high)
      if (changes === 0 && isActive[parent] === 0) continue
      const id = all[from + stepFacts.id]!
      const to = nodes.length * stepFacts.count
      for (let fact = 0; fact < stepFacts.count; fact++) facts[to + fact] = all[from + fact]!
      if (isActive[parent] === 1) facts[to + stepFacts.parentFolds] = 0
      else facts[to + stepFacts.parent] = 0
      const sameAs = this.#nodes[i]!.step.reaches === undefined ? firstLike(facts, to, firsts) : 0
      facts[to + stepFacts.sameAs] = sameAs
      firsts[id] = sameAs === 0 ? id : sameAs
      isActive[id] = 1
      nodes.push(this.#nodes[i]!)
    }
    const others = this.#others.filter(({ node }) => isActive[node.id] === 1)
    return { low, high, nodes, facts, isActive, others }
  }
}

const knownBits = 6

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
