import { namesBody } from '../fields/body-fields.ts'
import { namesCredentials } from '../fields/detection-fields.ts'
import type { ExpressionContext } from '../fields/expression-context.ts'
import { type CompiledFilter, type CompiledValue, filterOf, valueExpressionOf } from './expressions.ts'
import type { CredentialLocation, ListLookup } from './plan.ts'

/** Compiles the expressions of one ruleset and its executed rulesets, and records whether they need the body. */
export class PlanSource {
  readsBody = false
  /** Some expression asks about the credentials of the request. */
  asksCredentials = false
  /** Where rules with a separate check look for credentials. */
  readonly exposed: CredentialLocation[] = []
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
    if (namesCredentials(compiled.fields)) this.asksCredentials = true
    return compiled
  }
}
