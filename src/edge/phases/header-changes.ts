import { trimmed } from '../../kit/blanks.ts'
import { isChangeableHeader } from '../../rulesets/actions/header-names.ts'
import type { HeaderPairs, RequestView } from '../../rulesets/fields/request-view.ts'
import type { HeaderChange, RewriteHeadersEffect } from '../../rulesets/plan/plan.ts'
import type { HeaderRewrite } from '../exchange/request-state.ts'
import { requireShort } from '../exchange/rewritten-text.ts'
import type { HeaderLines } from '../message/headers.ts'

/**
 * Collects the header changes of one phase. For each header, the last `set` or `remove` wins, with the lines that were
 * added after it. Headers that belong to the proxy are not changed.
 */
export class HeaderChanges {
  readonly #side: 'request' | 'response'
  readonly #valueBytesMax: number
  readonly #byName = new Map<string, HeaderRewrite[]>()

  constructor(side: 'request' | 'response', valueBytesMax: number) {
    this.#side = side
    this.#valueBytesMax = valueBytesMax
  }

  collect({ changes }: RewriteHeadersEffect, view: RequestView): void {
    const rewrites: HeaderRewrite[] = []
    for (const change of changes) {
      if (!isChangeableHeader(change.name, this.#side)) continue
      const rewrite = this.#rewriteOf(change, view)
      if (rewrite !== undefined) rewrites.push(rewrite)
    }
    // A rule applies all of its changes or, when one value fails, none.
    for (const rewrite of rewrites) this.#keep(rewrite)
  }

  /** The changes of each name are in order. */
  get list(): readonly HeaderRewrite[] {
    return [...this.#byName.values()].flat()
  }

  /** @source Cloudflare docs, request header transform rules: set to an empty or undefined value removes the header */
  #rewriteOf(change: HeaderChange, view: RequestView): HeaderRewrite | undefined {
    const { operation, name } = change
    if (operation === 'remove') return { operation, name }
    const value = fieldValue(change.value(view) ?? '')
    requireShort(value, this.#valueBytesMax)
    if (value !== '') return { operation, name, value }
    return operation === 'set' ? { operation: 'remove', name } : undefined
  }

  #keep(rewrite: HeaderRewrite): void {
    const lower = rewrite.name.toLowerCase()
    const before = this.#byName.get(lower)
    if (rewrite.operation === 'add' && before !== undefined) before.push(rewrite)
    else this.#byName.set(lower, [rewrite])
  }
}

/** Control bytes become blanks, and blanks at both ends are removed (RFC 9110 5.5). */
function fieldValue(text: string): string {
  return trimmed(text.replace(/[^\t\x20-\x7e\x80-\xff]/g, ' '))
}

/** Applies the changes in order. */
export function changedHeaders(lines: HeaderLines, changes: readonly HeaderRewrite[]): HeaderPairs {
  let changed = lines
  for (const { operation, name, value } of changes) {
    if (operation !== 'add') {
      const lower = name.toLowerCase()
      changed = changed.filter(([other]) => other.length !== lower.length || other.toLowerCase() !== lower)
    }
    if (value !== undefined) changed = [...changed, [name, value]]
  }
  return changed
}
