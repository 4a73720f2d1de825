import type { ExpressionPlace } from './fields/expression-place.ts'
import type { ListLookup } from './plan.ts'
import {
  type CompiledFilter,
  type CompiledValue,
  filterOf,
  namesBody,
  valueExpressionOf,
} from './plan-expressions.ts'

/** Compiles the expressions of one ruleset with those that it executes, and remembers whether they need the body. */
export class PlanSource {
  readsBody = false
  readonly #lists: ListLookup

  constructor(lists: ListLookup) {
    this.#lists = lists
  }

  filter(text: string, place: ExpressionPlace): CompiledFilter {
    return this.#noted(filterOf(text, place, this.#lists))
  }

  value(text: string, place: ExpressionPlace): CompiledValue {
    return this.#noted(valueExpressionOf(text, place, this.#lists))
  }

  #noted<T extends { readonly fields: ReadonlySet<string> }>(compiled: T): T {
    if (namesBody(compiled.fields)) this.readsBody = true
    return compiled
  }
}
