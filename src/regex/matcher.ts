import type { ByteSet } from './byte-set.ts'

/**
 * Regular expressions over byte strings in time linear in the input.
 * Input strings hold one code unit a byte (0–255).
 */

/**
 * What every text in which the pattern is found holds: each of the clauses is met. No clause: nothing is known. The
 * clauses say less than the pattern, never more.
 */
export type Requirements = readonly Clause[]

/**
 * Met by a text that holds one of the literals (lower case; its ASCII letters in either case), or one of the bytes.
 * Literals have 2 to 8 bytes, or one that is neither a letter nor a digit.
 */
export type Clause =
  | { readonly kind: 'literals'; readonly literals: readonly string[] }
  | { readonly kind: 'bytes'; readonly bytes: ByteSet }

/** A compiled pattern. Immutable to its users; keeps caches inside, bounded by `regexLimits`. */
export interface Matcher {
  readonly source: string
  /** Capture groups, not counting group 0. */
  readonly groups: number
  /** Worked out when first asked for. */
  readonly requirements: Requirements
  /**
   * Is there a match anywhere in `input`? Stops at the first byte that decides. Linear in `input.length`.
   * @throws WorkExceededError, as `exec` does, where `boundWork` was called
   */
  test(input: string): boolean
  /**
   * The leftmost match with Perl's priorities (first alternative, lazy means lazy).
   * @param from where the search may begin; no match beyond the end; `^` still means the start of `input`
   * @returns offsets `[start0, end0, start1, end1, …]`, -1 for groups that took no part; null without a match
   */
  exec(input: string, from?: number): Int32Array | null
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

/** A pattern that is wrong or that cannot be matched in linear time. */
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
