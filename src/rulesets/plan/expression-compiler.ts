import { namesBody } from '../fields/body-fields.ts'
import type { ExpressionContext } from '../fields/expression-context.ts'
import { type CompiledFilter, type CompiledValue, filterOf, valueExpressionOf } from './expressions.ts'
import type { ListLookup } from './plan.ts'

/** Compiles the expressions of one ruleset and its executed rulesets, and records whether they need the body. */
export class PlanSource {
  readsBody = false
  readonly #lists: ListLookup

  constructor(lists: ListLookup) {
    this.#lists = lists
  }

  filter(text: string, context: ExpressionContext): CompiledFilter {
    return this.#noted(filterOf(text, context, this.#lists))
  }

  value(text: string, context: ExpressionContext): CompiledValue {
    return this.#noted(valueExpressionOf(text, context, this.#lists))
  }

  #noted<T extends { readonly fields: ReadonlySet<string> }>(compiled: T): T {
    if (namesBody(compiled.fields)) this.readsBody = true
    return compiled
  }
}
