import type { RuleBits } from '../program/rule-bits.ts'
import { lowercase } from '../transformations/case.ts'

/**
 * One value that rules can test. The same object represents the value in every rule of a transaction, so its
 * transformed values are stored here and computed once.
 */
export class Entry {
  /** The part after the colon in `ARGS:q`, as sent; empty for single values. Byte string. */
  readonly key: string
  readonly value: string
  /** Values after transformation, by the id of the transformation chain; see `TransformNode`. Most values have none. */
  transformed: (string | undefined)[] | undefined
  /** Rules whose first link matches the value, as the prefilter found them; undefined for none. */
  hits: RuleBits | undefined
  /** The kinds of its bytes (`Kinds`), once the prefilter has read it; else all. */
  low: number
  high: number
  #folded: string | undefined

  /** @param folded the key in lower case, if it is known */
  constructor(key: string, value: string, folded?: string) {
    this.key = key
    this.value = value
    this.transformed = undefined
    this.hits = undefined
    this.low = -1
    this.high = -1
    this.#folded = folded
  }

  /** The key as a value: in ARGS_NAMES, for one. */
  nameEntry(): Entry {
    return new Entry(this.key, this.key, this.#folded)
  }

  /** The key in lower case, as selectors compare it. */
  get folded(): string {
    this.#folded ??= lowercase(this.key)
    return this.#folded
  }
}

/** Parsed pairs as values that rules can test. */
export function entriesOf(pairs: readonly { readonly name: string; readonly value: string }[]): Entry[] {
  return pairs.map(({ name, value }) => new Entry(name, value))
}
