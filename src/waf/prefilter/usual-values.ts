import type { RuleBits } from '../program/rule-bits.ts'
import { flatCopy } from '../transformations/scratch.ts'
import type { Entry } from '../variables/entry.ts'
import type { Variable } from '../variables/state.ts'

/**
 * The results of one plan for values from a small vocabulary, such as methods, names of headers, and preferences of
 * clients. Nearly all of them are known, so that they need neither the memo's bookkeeping nor its allowance.
 */
export class UsualValues {
  readonly #known = new Map<string, RuleBits | null>()

  /** The rules that match; null for none; undefined for an unknown value. */
  get(value: string): RuleBits | null | undefined {
    return this.#known.get(value)
  }

  /** A full table is emptied: usual values come back at once. */
  set(value: string, hits: RuleBits | null): void {
    if (this.#known.size >= valuesKept) this.#known.clear()
    this.#known.set(flatCopy(value), hits)
  }
}

const valuesKept = 256

/** A table for values of the variable; undefined if it has no usual values. */
export function usualValuesOf({ name }: Variable): UsualValues | undefined {
  return name === 'REQUEST_HEADERS' || vocabularies.has(name) ? new UsualValues() : undefined
}

/** Whether the value belongs to a small vocabulary in ordinary requests. Such a value is no secret. */
export function isUsual({ name }: Variable, entry: Entry): boolean {
  return name === 'REQUEST_HEADERS' ? preferences.has(entry.folded) : vocabularies.has(name)
}

/** Variables whose values all belong to small vocabularies. */
const vocabularies: ReadonlySet<string> = new Set([
  'REQUEST_HEADERS_NAMES',
  'REQUEST_METHOD',
  'REQUEST_PROTOCOL',
])

/** Headers in which clients choose among few values. */
const preferences: ReadonlySet<string> = new Set(
  `accept accept-encoding accept-language cache-control connection content-type dnt pragma priority sec-ch-ua
   sec-ch-ua-mobile sec-ch-ua-platform sec-fetch-dest sec-fetch-mode sec-fetch-site sec-fetch-user te
   upgrade-insecure-requests via x-forwarded-proto`.split(/\s+/),
)
