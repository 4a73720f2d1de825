import { holds, holdsInSlices, type MacroView } from '../operators/index.ts'
import { addRule, hasRule, type RuleBits } from '../program/rule-bits.ts'
import type { TransformNode } from '../program/transform-trie.ts'
import type { Entry } from '../variables/entry.ts'
import type { PrefilteredRule } from './prefiltered-rule.ts'
import type { TransformedValues } from './transformed-values.ts'
import type { ValuePlan } from './value-plan.ts'

/**
 * Finds the rules whose first link matches a value. One pass over the value finds its kinds of bytes and its literals.
 * Transformations without a byte to change are skipped, so that mostly one transformed value stands for all. The few
 * remaining rules are tested. A scan of a long value can pause between steps, and within most of them.
 */
export class Scanner {
  readonly #transformed: TransformedValues
  /** By rule index: the set of just that rule. */
  readonly #sole: readonly RuleBits[]
  #plan!: ValuePlan
  #entry!: Entry
  #hits: RuleBits | undefined

  constructor(transformed: TransformedValues, sole: readonly RuleBits[]) {
    this.#transformed = transformed
    this.#sole = sole
  }

  /** The matching rules, once all steps are done. Shared: must not be changed. */
  get hits(): RuleBits | undefined {
    return this.#hits
  }

  /** Call `run` next, or `steps` for a long value. */
  begin(entry: Entry, plan: ValuePlan): void {
    this.#plan = plan
    this.#entry = entry
    this.#hits = undefined
    this.#transformed.begin(entry.value, plan)
  }

  /** Runs all steps at once. */
  run(view: MacroView): void {
    const transformed = this.#transformed
    const { texts } = transformed
    if (!transformed.single) for (let i = 0; i < transformed.stepCount; i++) transformed.apply(i)
    for (let i = 0; i < texts.foundCount; i++) {
      const rule = this.#foundHere(i)
      if (rule !== undefined) this.#try(rule, view)
    }
    const plausible = texts.plausible()
    this.#tellKinds()
    for (let i = 0; i < plausible.length; i++) {
      if (!this.#isOnActive(plausible[i]!)) this.#try(plausible[i]!, view)
    }
    const { onActive } = transformed
    for (let i = 0; i < onActive.length; i++) this.#try(onActive[i]!, view)
  }

  /** The same for a long value, with a pause after each step; nothing else may use the scanner meanwhile. */
  *steps(view: MacroView): Generator<void, void, void> {
    const transformed = this.#transformed
    const { texts } = transformed
    while (transformed.scanOn()) yield
    if (!transformed.single) {
      for (let i = 0; i < transformed.stepCount; i++) {
        yield* transformed.applyInSlices(i)
        yield
      }
    }
    for (let i = 0; i < texts.foundCount; i++) {
      const rule = this.#foundHere(i)
      if (rule !== undefined) yield* this.#tryInSlices(rule, view)
    }
    this.#tellKinds()
    for (const rule of texts.plausible()) {
      if (!this.#isOnActive(rule)) yield* this.#tryInSlices(rule, view)
    }
    for (const rule of transformed.onActive) yield* this.#tryInSlices(rule, view)
  }

  /** Bytes read since the last call. */
  takeWork(): number {
    return this.#transformed.texts.takeWork()
  }

  /** Releases the values. */
  rest(): void {
    this.#transformed.rest()
  }

  /** Later links need not read the value for them. */
  #tellKinds(): void {
    this.#entry.low = this.#transformed.texts.low(0)
    this.#entry.high = this.#transformed.texts.high(0)
  }

  /** The rule that a scan has found, if its transformed value is the one that the rule tests. */
  #foundHere(number: number): PrefilteredRule | undefined {
    const rule = this.#plan.rules[this.#transformed.texts.foundRule(number)]!
    const isHere =
      rule.path !== undefined || this.#transformed.of(rule.node) === this.#transformed.texts.foundText(number)
    return isHere ? rule : undefined
  }

  /** Whether the rule is among `onActive`: the original value does not decide. */
  #isOnActive(rule: PrefilteredRule): boolean {
    return this.#transformed.onActive.length > 0 && this.#transformed.isActive(rule.node)
  }

  #try(rule: PrefilteredRule, view: MacroView): void {
    const matches =
      rule.path === undefined ? this.#matches(rule, rule.node, view) : this.#matchesOn(rule, rule.path, view)
    if (matches) this.#hit(rule)
  }

  *#tryInSlices(rule: PrefilteredRule, view: MacroView): Generator<void, void, void> {
    if (this.#isHit(rule)) return
    for (const node of rule.path === undefined ? [rule.node] : this.#distinct(rule.path)) {
      yield* this.#prepare(rule, node)
      const value = this.#valueFor(rule, node)
      if (value === undefined) continue
      const matches = yield* holdsInSlices(rule.operator, rule.negated, value, view)
      if (matches) {
        this.#keep(node, value)
        this.#hit(rule)
      }
      yield
      if (matches) return
    }
  }

  #matches(rule: PrefilteredRule, node: TransformNode, view: MacroView): boolean {
    const value = this.#valueFor(rule, node)
    if (value === undefined) return false
    if (!holds(rule.operator, rule.negated, value, view)) return false
    this.#keep(node, value)
    return true
  }

  /** Converts long values to lower case, with pauses. */
  *#prepare(rule: PrefilteredRule, node: TransformNode): Generator<void, void, void> {
    const at = this.#transformed.of(node)
    if (at >= 0 && this.#transformed.texts.mayHold(rule, at) && this.#transformed.isFolded(node))
      yield* this.#transformed.texts.lowerInSlices(at)
  }

  /** The value that the rule tests at the node; undefined if it cannot match. */
  #valueFor(rule: PrefilteredRule, node: TransformNode): string | undefined {
    const transformed = this.#transformed
    const at = transformed.of(node)
    if (at < 0 || !transformed.texts.mayHold(rule, at)) return undefined
    const value = transformed.valueAt(node, at)
    transformed.texts.spend(value.length)
    return value
  }

  #keep(node: TransformNode, value: string): void {
    if (node.id !== 0) node.keep(this.#entry, value)
  }

  /** With `multiMatch`, any of the transformed values may match. */
  #matchesOn(rule: PrefilteredRule, path: readonly TransformNode[], view: MacroView): boolean {
    return !this.#isHit(rule) && this.#distinct(path).some(node => this.#matches(rule, node, view))
  }

  /** Nodes whose value differs from the previous one. */
  #distinct(path: readonly TransformNode[]): readonly TransformNode[] {
    const nodes: TransformNode[] = []
    let previous = -1
    for (const node of path) {
      const at = this.#transformed.of(node)
      // For some operators, the same value in another case is another value.
      if (at === previous && !node.foldsCase) continue
      previous = at
      nodes.push(node)
    }
    return nodes
  }

  #isHit(rule: PrefilteredRule): boolean {
    return this.#hits !== undefined && hasRule(this.#hits, rule.index)
  }

  #hit(rule: PrefilteredRule): void {
    if (this.#hits === undefined) this.#hits = this.#sole[rule.index]!
    else {
      const hits = this.#hits.slice()
      addRule(hits, rule.index)
      this.#hits = hits
    }
  }
}
