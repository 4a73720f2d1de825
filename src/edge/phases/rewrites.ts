import type { RewriteHeadersEffect, RewriteUriEffect } from '../../rulesets/plan/plan.ts'
import type { RequestState } from '../exchange/request-state.ts'
import { requireShort } from '../exchange/rewritten-text.ts'
import { HeaderChanges } from './header-changes.ts'

/**
 * The rewrites of one phase, applied at its end, so that expressions see the same values during the whole phase. The last
 * rule that rewrites a part wins.
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

  uri({ path, query }: RewriteUriEffect, state: RequestState): void {
    const newPath = path?.(state)
    const newQuery = query?.(state)
    requireShort(newPath, this.#bytesMax)
    requireShort(newQuery, this.#bytesMax)
    if (newPath !== undefined) this.#path = newPath
    if (newQuery !== undefined) this.#query = newQuery
  }

  headers(effect: RewriteHeadersEffect, state: RequestState): void {
    this.#headers ??= new HeaderChanges('request', this.#bytesMax)
    this.#headers.collect(effect, state)
  }

  apply(state: RequestState): void {
    if (this.#normalizes) state.normalizePath()
    // `OPTIONS *` asks about the server and has no path.
    if ((this.#path !== undefined || this.#query !== undefined) && state.request.uri !== '*')
      state.rewriteUri(this.#path, this.#query)
    if (this.#headers !== undefined) state.rewriteHeaders(this.#headers.list)
  }
}
