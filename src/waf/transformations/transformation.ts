/**
 * A change of one value before operators see it.
 * @param value byte string (latin-1, one code unit a byte)
 * @returns a byte string; `value` itself when nothing changed, so that callers may compare by `===` at no cost.
 *   Linear in the value; never throws.
 */
export type Transformation = (value: string) => string
