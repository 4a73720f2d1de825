import type { ByteSet } from '../../regex/index.ts'

/**
 * A change of one value before operators see it.
 * @param value byte string (latin-1, one code unit a byte)
 * @returns a byte string; `value` itself when nothing changed, so that callers may compare by `===` at no cost.
 *   Linear in the value; never throws.
 */
export type Transformation = (value: string) => string

/** A transformation, and what spares its work. */
export interface TransformationRow {
  readonly apply: Transformation
  /**
   * A value that holds none of these bytes comes back as it is, but for `foldsCase`. Undefined: any value may change.
   */
  readonly triggers: ByteSet | undefined
  /** A value without triggers comes back with its ASCII letters in lower case. */
  readonly foldsCase: boolean
  /** The result may be longer than the value. */
  readonly grows: boolean
  /** Can the result be so long? Costs less than to apply it. Undefined: yes. */
  readonly reaches: ((value: string, length: number) => boolean) | undefined
}
