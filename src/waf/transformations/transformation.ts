import type { ByteSet } from '../../regex/index.ts'

/**
 * Changes one value before operators test it.
 * @param value byte string (latin-1, one code unit a byte)
 * @returns a byte string; `value` itself if nothing changed, so that callers may compare by `===` at no cost. Linear in
 * the value; never throws.
 */
export type Transformation = (value: string) => string

/** A transformation, and facts that let callers skip it. */
export interface TransformationRow {
  readonly apply: Transformation
  /**
   * `apply` to a long value, with pauses in which others may apply it. Undefined if it is fast, or rarely used.
   * @param bytes between two pauses, `wafLimits.sliceBytes` by default
   */
  readonly applyInSlices: ((value: string, bytes?: number) => Generator<void, string, void>) | undefined
  /** A value without these bytes stays unchanged, except for `foldsCase`. Undefined: any value may change. */
  readonly triggers: ByteSet | undefined
  /** Bytes that the result may have and the value may not, besides letters in the other case. */
  readonly introduces: ByteSet
  /** A value without triggers comes back with its ASCII letters in lower case. */
  readonly foldsCase: boolean
  /** The result may be longer than the value. */
  readonly grows: boolean
  /** Whether the result can have this length. Cheaper than applying it. Undefined: yes. */
  readonly reaches: ((value: string, length: number) => boolean) | undefined
}

/** The result for a long value, with pauses if the transformation has any. */
export function* appliedInSlices(
  { apply, applyInSlices }: TransformationRow,
  value: string,
): Generator<void, string, void> {
  return applyInSlices === undefined ? apply(value) : yield* applyInSlices(value)
}
