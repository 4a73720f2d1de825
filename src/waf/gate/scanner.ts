import type { MacroView } from '../operators/index.ts'
import { addRule, hasRule, type RuleBits } from '../program/rule-bits.ts'
import type { TransformNode } from '../program/transform-trie.ts'
import type { Entry } from '../variables/entry.ts'
import type { GatedRule } from './gated-rule.ts'
import type { Texts } from './texts.ts'
import type { ValuePlan } from './value-plan.ts'

/**
 * Finds the rules whose first link matches a value. One pass over the value tells which kinds of bytes it holds and which
 * literals; transformations without a byte to change are skipped, so that mostly one text stands for all of them; the few
 * rules that are not ruled out are tried. A long value can be left between two steps.
 */
export class Scanner {
  readonly #texts: Texts
  /** By rule index: the set of just that rule. */
  readonly #sole: readonly RuleBits[]
  #plan!: ValuePlan
  #entry!: Entry
  /** Rules to try that no scan for literals finds. */
  #others!: readonly GatedRule[]
  #nodeAt = 0
  #foundAt = 0
  #otherAt = 0
  #hits: RuleBits | undefined

  constructor(texts: Texts, sole: readonly RuleBits[]) {
    this.#texts = texts
    this.#sole = sole
  }

  /** What matches, once all steps are done. Shared: not to be changed. */
  get hits(): RuleBits | undefined {
    return this.#hits
  }

  /** To be followed by `run`, or by `step` until it says that it is done. */
  begin(entry: Entry, plan: ValuePlan): void {
    const texts = this.#texts
    this.#plan = plan
    this.#entry = entry
    this.#foundAt = 0
    this.#otherAt = 0
    this.#hits = undefined
    texts.begin(entry.value, plan)
    this.#nodeAt = texts.single ? plan.nodes.length : 0
    this.#others = texts.single ? texts.plausible() : plan.others
  }

  /** All steps at once. */
  run(view: MacroView): void {
    const texts = this.#texts
    const { nodes } = this.#plan
    for (let i = this.#nodeAt; i < nodes.length; i++) texts.apply(i)
    for (let i = 0; i < texts.foundCount; i++) this.#tryFound(i, view)
    // Steps that changed nothing leave one text, so that what it holds rules out for all.
    const others = texts.isAlone ? texts.plausible() : this.#others
    for (let i = 0; i < others.length; i++) this.#try(others[i]!, view)
  }

  /**
   * One transformation or one rule.
   * @returns false when there is nothing left to do
   */
  step(view: MacroView): boolean {
    const { nodes } = this.#plan
    if (this.#nodeAt < nodes.length) this.#texts.apply(this.#nodeAt++)
    else if (this.#foundAt < this.#texts.foundCount) this.#tryFound(this.#foundAt++, view)
    else if (this.#otherAt < this.#others.length) this.#try(this.#others[this.#otherAt++]!, view)
    else return false
    return true
  }

  /** Bytes looked at since the last call. */
  takeWork(): number {
    return this.#texts.takeWork()
  }

  /** Lets go of what was looked at. */
  rest(): void {
    this.#texts.rest()
  }

  #tryFound(number: number, view: MacroView): void {
    const rule = this.#plan.rules[this.#texts.foundRule(number)]!
    const isHere = rule.path !== undefined || this.#texts.of(rule.node) === this.#texts.foundText(number)
    if (isHere) this.#try(rule, view)
  }

  #try(rule: GatedRule, view: MacroView): void {
    const matches =
      rule.path === undefined ? this.#matches(rule, rule.node, view) : this.#matchesOn(rule, rule.path, view)
    if (matches) this.#hit(rule)
  }

  #matches(rule: GatedRule, node: TransformNode, view: MacroView): boolean {
    const texts = this.#texts
    const at = texts.of(node)
    if (at < 0 || !texts.mayHold(rule, at)) return false
    const text = texts.textAt(node, at)
    texts.spend(text.length)
    if (rule.operator.test(text, view) === rule.negated) return false
    if (node.id !== 0) node.keep(this.#entry, text)
    return true
  }

  /** With `multiMatch` any of the texts will do. */
  #matchesOn(rule: GatedRule, path: readonly TransformNode[], view: MacroView): boolean {
    if (this.#hits !== undefined && hasRule(this.#hits, rule.index)) return false
    let previous = -1
    for (let i = 0; i < path.length; i++) {
      const node = path[i]!
      const at = this.#texts.of(node)
      // The same text in another case is another text to some operators.
      if (at === previous && !node.foldsCase) continue
      previous = at
      if (this.#matches(rule, node, view)) return true
    }
    return false
  }

  #hit(rule: GatedRule): void {
    if (this.#hits === undefined) this.#hits = this.#sole[rule.index]!
    else {
      const hits = this.#hits.slice()
      addRule(hits, rule.index)
      this.#hits = hits
    }
  }
}
