import { trimmed } from '../../kit/blanks.ts'
import { isChangeableHeader } from '../../rulesets/header-names.ts'
import type { HeaderChange, RewriteHeadersEffect } from '../../rulesets/plan.ts'
import type { HeaderPairs, RequestView } from '../../rulesets/request-view.ts'
import type { HeaderLines } from '../headers.ts'
import type { HeaderRewrite } from '../request-state.ts'

/**
 * Changes of headers that the rules of one phase collect. For each header the last `set` or `remove` stands, with what
 * was added after it. Headers that the proxy answers for are left alone.
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
    for (const change of changes) {
      if (!isChangeableHeader(change.name, this.#side)) continue
      const rewrite = this.#rewriteOf(change, view)
      if (rewrite !== undefined) this.#keep(rewrite)
    }
  }

  /** Each name's in order. */
  get list(): readonly HeaderRewrite[] {
    return [...this.#byName.values()].flat()
  }

  /** @source Cloudflare docs, request header transform rules: set to an empty or undefined value removes the header */
  #rewriteOf(change: HeaderChange, view: RequestView): HeaderRewrite | undefined {
    const { operation, name } = change
    if (operation === 'remove') return { operation, name }
    const value = fieldValue(change.value(view) ?? '')
    if (value.length > this.#valueBytesMax) return undefined
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

/** What may stand in a header line: control bytes become blanks, blanks at its ends go (RFC 9110 5.5). */
function fieldValue(text: string): string {
  return trimmed(text.replace(/[^\t\x20-\x7e\x80-\xff]/g, ' '))
}

/** Header lines with changes made in order. */
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
