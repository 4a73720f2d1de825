import type { RewriteHeadersEffect, RewriteUriEffect } from '../../rulesets/plan.ts'
import type { Exchange } from '../exchange.ts'
import { HeaderChanges } from './header-changes.ts'

/**
 * What the rules of one phase want rewritten. Expressions see the same values for the whole phase, so it is done at its
 * end; of several rules that rewrite the same, the last one counts.
 */
export class Rewrites {
  readonly #bytesMax: number
  #normalizes = false
  #path: string | undefined
  #query: string | undefined
  #headers: HeaderChanges | undefined

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  normalize(): void {
    this.#normalizes = true
  }

  uri({ path, query }: RewriteUriEffect, { state }: Exchange): void {
    const newPath = path?.(state)
    const newQuery = query?.(state)
    if (newPath !== undefined && newPath.length <= this.#bytesMax) this.#path = newPath
    if (newQuery !== undefined && newQuery.length <= this.#bytesMax) this.#query = newQuery
  }

  headers(effect: RewriteHeadersEffect, { state }: Exchange): void {
    this.#headers ??= new HeaderChanges('request', this.#bytesMax)
    this.#headers.collect(effect, state)
  }

  apply(exchange: Exchange): void {
    const { state, request } = exchange
    if (this.#normalizes) state.normalizePath()
    // `OPTIONS *` asks about the server: it has no path.
    if ((this.#path !== undefined || this.#query !== undefined) && request.uri !== '*') {
      state.rewriteUri(this.#path, this.#query)
      if (this.#path !== undefined) exchange.rewrittenPath = state.path
      if (this.#query !== undefined) exchange.rewrittenQuery = state.query
    }
    if (this.#headers !== undefined) state.rewriteHeaders(this.#headers.list)
  }
}
