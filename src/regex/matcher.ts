import type { ByteSet } from './byte-set.ts'

/**
 * Regular expressions over byte strings in time linear in the input.
 * Input strings hold one code unit a byte (0–255).
 */

/**
 * Conditions on every text with a match of the pattern: such a text meets each clause. Without clauses, nothing is
 * known. The clauses are never stricter than the pattern.
 */
export type Requirements = readonly Clause[]

/**
 * A text meets it if it holds one of the literals (lower case; ASCII letters in either case), or one of the bytes.
 * Literals have 2 to 8 bytes, or one byte that is neither a letter nor a digit.
 */
export type Clause =
  | { readonly kind: 'literals'; readonly literals: readonly string[] }
  | { readonly kind: 'bytes'; readonly bytes: ByteSet }

/** A compiled pattern. Immutable to its users; has internal caches, bounded by `regexLimits`. */
export interface Matcher {
  readonly source: string
  /** Capture groups, not counting group 0. */
  readonly groups: number
  /** Computed at first use. */
  readonly requirements: Requirements
  /**
   * Whether there is a match anywhere in `input`. Stops at the first byte that decides. Linear in `input.length`.
   * @throws WorkExceededError, as `exec` does, after `boundWork`; MatchLimitError, as `exec` does, for an irregular
   * pattern
   */
  test(input: string): boolean
  /** `test` of a long input, with pauses in which others may use the matcher. */
  testInSlices(input: string): Generator<void, boolean, void>
  /**
   * The leftmost match with Perl's priorities (first alternative, lazy means lazy).
   * @param from start of the search; a match never ends beyond the input; `^` still means the start of `input`
   * @returns offsets `[start0, end0, start1, end1, …]`, -1 for groups that took no part; null without a match
   */
  exec(input: string, from?: number): Int32Array | null
  /** `exec` in a long input, with pauses in which others may use the matcher. */
  execInSlices(input: string, from?: number): Generator<void, Int32Array | null, void>
}

export interface RegexOptions {
  /**
   * `pcre`: the subset of Perl syntax that SecLang rules use (ModSecurity v2: dot matches every byte, `$` only at the
   * very end, `^` only at the start). `rust`: the syntax of the rules language (dot is any byte but \n, `(?m)` …).
   */
  readonly dialect: 'pcre' | 'rust'
  /** Fold ASCII letters, as a leading `(?i)`. */
  readonly caseInsensitive?: boolean
}

/** An invalid pattern, or one that cannot be matched in linear time. */
export interface RegexError {
  readonly code: 'syntax' | 'unsupported' | 'too-large'
  readonly message: string
  /** Byte offset into the pattern. */
  readonly offset: number
  readonly length: number
}

export type RegexOutcome =
  | { readonly ok: true; readonly matcher: Matcher }
  | { readonly ok: false; readonly error: RegexError }
