import type { Diagnostic } from '../kit/diagnostic.ts'

/** Types of the rules language. Strings are byte strings (latin-1, one code unit a byte). */
export type ExpressionType = 'String' | 'Integer' | 'Boolean' | 'IP' | 'Array<String>' | 'Map<Array<String>>'

export type Value =
  | string
  | number
  | boolean
  | readonly string[]
  | ReadonlyMap<string, readonly string[]>
  | undefined

/** A field that expressions may name; `read` gets it from whatever the caller evaluates against. */
export interface Field<C> {
  readonly name: string
  readonly type: ExpressionType
  /** IP values are their text form; undefined is a missing value. */
  readonly read: (context: C) => Value
}

/** The names a rule may use. Made once; looked up at compile time only. */
export interface Scheme<C> {
  readonly fields: ReadonlyMap<string, Field<C>>
}

export type Predicate<C> = (context: C) => boolean

export type CompileOutcome<C> =
  | { readonly ok: true; readonly test: Predicate<C> }
  | {
      readonly ok: false
      readonly diagnostic: Diagnostic
      /** The caret form that API errors show. */
      readonly text: string
    }
