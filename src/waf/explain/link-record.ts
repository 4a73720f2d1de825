import { explainLimits } from '../limits.ts'
import type { CompiledLink } from '../program/compiled.ts'
import type { ObservedTest, ProgramRule } from '../types.ts'
import type { ExcludedValue, ExplainedLink, ExplainedValue, TransformationStep } from './explanation.ts'
import { operatorsOf, stepsOf, targetNames } from './rule-parts.ts'
import { shown, shownName, shownPattern } from './shown.ts'

const { valuesMax } = explainLimits

/** The record of one link, value by value. */
export class LinkRecord {
  readonly #rule: ProgramRule
  readonly #index: number
  readonly #link: CompiledLink
  /** The operator's, with macros expanded. */
  #parameter: string | undefined
  readonly #matched = new FirstFew<ExplainedValue>()
  readonly #unmatched = new FirstFew<ExplainedValue>()
  readonly #excluded = new FirstFew<ExcludedValue>()

  constructor(rule: ProgramRule, index: number, link: CompiledLink) {
    this.#rule = rule
    this.#index = index
    this.#link = link
  }

  add(test: ObservedTest): void {
    this.#parameter ??= test.expanded(this.#operator?.parameter ?? '')
    const list = test.matched ? this.#matched : this.#unmatched
    list.add(() => this.#explain(test))
  }

  exclude(target: string, by: ProgramRule): void {
    this.#excluded.add(() => ({ target: shownName(target), by }))
  }

  explained(): ExplainedLink {
    const operator = this.#operator
    const matched = this.#matched.kept.length > 0
    const values = matched ? this.#matched : this.#unmatched
    return {
      link: this.#index,
      targets: targetNames(this.#link),
      operator: operator === undefined ? '' : `${operator.negated ? '!' : ''}@${operator.name}`,
      parameter: shownPattern(this.#parameter ?? operator?.parameter ?? ''),
      transformations: stepsOf(this.#link).map(step => step.name),
      multiMatch: this.#link.multiMatch !== undefined,
      matched,
      values: values.kept,
      valuesMore: values.more,
      excluded: this.#excluded.kept,
      excludedMore: this.#excluded.more,
    }
  }

  get #operator() {
    return operatorsOf(this.#rule)[this.#index]
  }

  #explain(test: ObservedTest): ExplainedValue {
    const found = test.matched && !this.#link.negated ? test.found() : []
    return {
      target: shownName(test.target),
      original: shown(test.original),
      steps: this.#steps(test),
      value: shown(test.value),
      matched: test.matched,
      found: found.map(part => (part === undefined ? undefined : shown(part))),
    }
  }

  /** With `multiMatch` the value may have been tested before the last step. */
  #steps({ original, value }: ObservedTest): TransformationStep[] {
    const steps: TransformationStep[] = []
    let current = original
    for (const { name, apply } of stepsOf(this.#link)) {
      if (this.#link.multiMatch !== undefined && current === value) break
      const next = apply(current)
      steps.push({ transformation: name, changed: next !== current, value: shown(next) })
      current = next
    }
    return steps
  }
}

/** The first items of a list, and the number of the others. */
class FirstFew<T> {
  readonly kept: T[] = []
  more = 0

  add(make: () => T): void {
    if (this.kept.length < valuesMax) this.kept.push(make())
    else this.more++
  }
}
