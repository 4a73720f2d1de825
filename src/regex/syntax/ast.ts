import type { ByteSet } from '../byte-set.ts'

/** A parsed pattern. Case folding is done: sets already hold both letters. */
export type Node =
  | { readonly kind: 'empty' }
  | { readonly kind: 'set'; readonly set: ByteSet }
  | { readonly kind: 'concat'; readonly items: readonly Node[] }
  | { readonly kind: 'alternatives'; readonly items: readonly Node[] }
  /** A repeated item takes at least one instruction, and `max` is at least 1: else the node is `empty`. */
  | {
      readonly kind: 'repeat'
      readonly item: Node
      readonly min: number
      /** Infinity for an open range. */
      readonly max: number
      readonly mode: 'greedy' | 'lazy' | 'possessive'
      /** Whether the item can match the empty text. */
      readonly emptyTurns: boolean
    }
  /** Captures as group `index`, from 1. */
  | { readonly kind: 'group'; readonly item: Node; readonly index: number }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  /** The next byte is in the set; with `negative`, no byte of the set is next. */
  | { readonly kind: 'next'; readonly set: ByteSet; readonly negative: boolean }
  | { readonly kind: 'look'; readonly negative: boolean; readonly branches: readonly LookBranch[] }
  | { readonly kind: 'atomic'; readonly item: Node }
  | { readonly kind: 'backreference'; readonly index: number; readonly caseInsensitive: boolean }

/** A look-ahead has one branch, which starts at its position; a look-behind one for each alternative. */
export interface LookBranch {
  readonly item: Node
  /** Bytes to step back before the branch is tried: its length. */
  readonly back: number
}

export type Assertion =
  | 'text-start'
  | 'text-end'
  /** `\Z`: the end, or before a line feed that ends the text. */
  | 'text-end-or-last-line-feed'
  | 'line-start'
  /** As Perl's `(?m)^`: a line feed that ends the text starts no line. */
  | 'line-start-inside'
  | 'line-end'
  | 'word-boundary'
  | 'no-word-boundary'
  | 'word-start'
  | 'word-end'

export interface Pattern {
  readonly root: Node
  readonly groups: number
  /**
   * Look-around of more than the next byte, atomic groups, possessive quantifiers, back-references: a finite automaton
   * alone cannot match it.
   */
  readonly irregular: boolean
  readonly backreferences: boolean
  /** Has `\Z`, which depends on the byte after the next. */
  readonly lastLineFeed: boolean
}
