import type { ByteSet } from './byte-set.ts'

/** A parsed pattern. Case folding is done: sets already hold both letters. */
export type Node =
  | { readonly kind: 'empty' }
  | { readonly kind: 'set'; readonly set: ByteSet }
  | { readonly kind: 'concat'; readonly items: readonly Node[] }
  | { readonly kind: 'alternatives'; readonly items: readonly Node[] }
  | {
      readonly kind: 'repeat'
      readonly item: Node
      readonly min: number
      /** Infinity when open. */
      readonly max: number
      readonly mode: 'greedy' | 'lazy' | 'possessive'
    }
  /** Captures as group `index`, from 1. */
  | { readonly kind: 'group'; readonly item: Node; readonly index: number }
  | { readonly kind: 'assertion'; readonly what: Assertion }
  | { readonly kind: 'look'; readonly behind: boolean; readonly negative: boolean; readonly item: Node }
  | { readonly kind: 'atomic'; readonly item: Node }
  | { readonly kind: 'backreference'; readonly index: number; readonly caseInsensitive: boolean }

export type Assertion =
  | 'text-start'
  | 'text-end'
  /** `\Z`: the end, or before a line feed that ends the text. */
  | 'text-end-or-last-line-feed'
  | 'line-start'
  | 'line-end'
  | 'word-boundary'
  | 'no-word-boundary'
  | 'word-start'
  | 'word-end'

export interface Pattern {
  readonly root: Node
  readonly groups: number
}
