import type { TransformNode } from '../program/transform-trie.ts'
import { appliedInSlices } from '../transformations/index.ts'
import { type ActiveSteps, stepFacts } from './active-steps.ts'
import { upperCase } from './byte-kinds.ts'
import type { LiteralAutomaton } from './literal-automaton.ts'
import type { PrefilteredRule } from './prefiltered-rule.ts'
import { type AlternativeBits, ScannedTexts } from './scanned-texts.ts'
import { TakenSteps } from './taken-steps.ts'
import type { ValuePlan } from './value-plan.ts'

/**
 * The results of the transformations of one value, by the numbers of their texts; the value itself is text 0. One
 * object serves many values.
 */
export class TransformedValues {
  readonly texts: ScannedTexts
  #plan!: ValuePlan
  #active!: ActiveSteps
  /** By id of an active node: the number of its text, and whether its lower case is meant. */
  readonly #numbers: Int16Array
  readonly #folds: Uint8Array
  /** The original stands for all values, except for case and for values that cannot match. */
  single = true
  readonly #takenSteps: TakenSteps

  constructor(
    automaton: LiteralAutomaton,
    alternatives: AlternativeBits,
    groupCount: number,
    ruleCount: number,
    nodeCount: number,
  ) {
    // Each node makes at most one text, plus the original.
    this.texts = new ScannedTexts(automaton, alternatives, groupCount, ruleCount, nodeCount + 1)
    this.#numbers = new Int16Array(nodeCount)
    this.#folds = new Uint8Array(nodeCount)
    this.#takenSteps = new TakenSteps(nodeCount)
  }

  /** Begins with a value. A long one is complete once `scanOn` returns false. */
  begin(value: string, plan: ValuePlan): void {
    this.#plan = plan
    this.#takenSteps.begin()
    this.texts.begin(plan)
    this.texts.numberOf(value, true)
    if (this.texts.isScanned) this.#choose()
  }

  /**
   * Scans the next part of a long text.
   * @returns false if there was none
   */
  scanOn(): boolean {
    if (!this.texts.scanOn()) return false
    if (this.texts.count === 1 && this.texts.isScanned) this.#choose()
    return true
  }

  /** Steps to apply, unless the value is `single`. */
  get stepCount(): number {
    return this.#active.nodes.length
  }

  /** The `others` of the active steps; none if all values are one text. */
  get onActive(): readonly PrefilteredRule[] {
    return this.single || this.texts.count === 1 ? noRules : this.#active.others
  }

  isActive(node: TransformNode): boolean {
    return this.#active.isActive[node.id] === 1
  }

  /** The number of a node's text; below 0 for a value that cannot match any rule. */
  of(node: TransformNode): number {
    if (this.single) return node.changesAny ? nowhere : 0
    return this.isActive(node) ? this.#numbers[node.id]! : 0
  }

  /** @param number `of(node)` */
  valueAt(node: TransformNode, number: number): string {
    return this.isFolded(node) ? this.texts.lowered(number) : this.texts.text(number)
  }

  /** Whether the value is meant in lower case. */
  isFolded(node: TransformNode): boolean {
    if (this.single || !this.isActive(node)) return node.foldsCase
    return this.#folds[node.id] === 1
  }

  /** Finds the value of an active node; its parent's is known. */
  apply(index: number): void {
    if (this.#isKnown(index)) return
    const to = this.#taken(index)
    if (to !== notTaken) this.#settle(index, to)
    else {
      const before = this.#textBefore(index)
      this.#settle(index, this.#take(index, before, this.#active.nodes[index]!.step.apply(before)))
      // A short value may become a long one.
      while (this.texts.scanOn());
    }
  }

  /** The same for a long value, with pauses, including the scan of the result. */
  *applyInSlices(index: number): Generator<void, void, void> {
    if (this.#isKnown(index)) return
    if (this.#foldsBefore(index)) yield* this.texts.lowerInSlices(this.#numberBefore(index))
    const to = this.#taken(index)
    if (to !== notTaken) this.#settle(index, to)
    else {
      const before = this.#textBefore(index)
      const after = yield* appliedInSlices(this.#active.nodes[index]!.step, before)
      this.#settle(index, this.#take(index, before, after))
      while (this.texts.scanOn()) yield
    }
  }

  /** Releases all values. */
  rest(): void {
    this.texts.rest()
  }

  #choose(): void {
    this.#active = this.#plan.steps.of(this.texts.low(0), this.texts.high(0) & ~upperCase)
    this.single = !this.#active.isTriggered && !this.#mayReach()
  }

  /** Whether a step that changes any value has a result that some rule could match. */
  #mayReach(): boolean {
    const { always } = this.#active
    const { lengthMin } = this.#plan
    const value = this.texts.text(0)
    for (let i = 0; i < always.length; i++) {
      const { id, step } = always[i]!
      if (step.reaches === undefined || step.reaches(value, lengthMin[id]!)) return true
    }
    return false
  }

  /** Whether the result needs no step: another node's, the parent's value, or none like the parent's. */
  #isKnown(index: number): boolean {
    const { facts } = this.#active
    const fact = index * stepFacts.count
    const id = facts[fact + stepFacts.id]!
    const sameAs = facts[fact + stepFacts.sameAs]!
    if (sameAs !== 0) {
      this.#numbers[id] = this.#numbers[sameAs]!
      this.#folds[id] = this.#folds[sameAs]!
      return true
    }
    const from = this.#numberBefore(index)
    if (from < 0) {
      this.#numbers[id] = nowhere
      return true
    }
    const flags = facts[fact + stepFacts.flags]!
    if (
      (flags & 2) !== 0 ||
      (this.texts.low(from) & facts[fact + stepFacts.low]!) !== 0 ||
      (this.texts.high(from) & facts[fact + stepFacts.high]!) !== 0
    ) {
      return false
    }
    this.#numbers[id] = from
    this.#folds[id] = (flags & 1) | (this.#foldsBefore(index) ? 1 : 0)
    if (this.#isTested(index)) this.texts.searchLiterals(from)
    return true
  }

  /** Whether some rule may match the result. */
  #isTested(index: number): boolean {
    return (this.#active.facts[index * stepFacts.count + stepFacts.flags]! & 4) !== 0
  }

  /** The number of the text that the step is applied to. */
  #numberBefore(index: number): number {
    const parent = this.#active.facts[index * stepFacts.count + stepFacts.parent]!
    return parent === 0 ? 0 : this.#numbers[parent]!
  }

  #foldsBefore(index: number): boolean {
    const fact = index * stepFacts.count
    const parent = this.#active.facts[fact + stepFacts.parent]!
    return (parent === 0 ? this.#active.facts[fact + stepFacts.parentFolds] : this.#folds[parent]) === 1
  }

  #textBefore(index: number): string {
    const number = this.#numberBefore(index)
    return this.#foldsBefore(index) ? this.texts.lowered(number) : this.texts.text(number)
  }

  /** Many lists apply the same step to the same text: it is run once. */
  #taken(index: number): number {
    const known = this.#takenSteps.find(this.#keyOf(index))
    if (known !== undefined) return known
    const { step, id } = this.#active.nodes[index]!
    const { reaches } = step
    return reaches === undefined || reaches(this.#textBefore(index), this.#plan.lengthMin[id]!)
      ? notTaken
      : nowhere
  }

  /** The number of the step's result. */
  #take(index: number, before: string, after: string): number {
    this.texts.spend(before.length)
    const to = after === before ? unchanged : this.texts.numberOf(after, this.#isTested(index))
    this.#takenSteps.add(this.#keyOf(index), to)
    return to
  }

  /** Of the step and its input. */
  #keyOf(index: number): number {
    const number = this.#numberBefore(index)
    const folds = this.#foldsBefore(index) && !this.texts.isLowerCase(number) ? 1 : 0
    return (this.#active.facts[index * stepFacts.count + stepFacts.step]! << 17) | (number << 1) | folds
  }

  #settle(index: number, to: number): void {
    const id = this.#active.facts[index * stepFacts.count + stepFacts.id]!
    const number = to === unchanged ? this.#numberBefore(index) : to
    this.#numbers[id] = number
    if (number >= 0 && this.#isTested(index)) this.texts.searchLiterals(number)
    this.#folds[id] = to === unchanged && this.#foldsBefore(index) ? 1 : 0
  }
}

/** No text: none that could match any rule. */
const nowhere = -1
/** The parent's value. */
const unchanged = -2
/** The step has not run yet. */
const notTaken = -3

const noRules: readonly PrefilteredRule[] = []
