import type { Diagnostic } from '../kit/diagnostic.ts'

/**
 * Types of the rules language. `String` and `Bytes` are one type at run time: byte strings (latin-1, one code unit a
 * byte).
 */
export type ExpressionType =
  | ScalarName
  | `Array<${ScalarName}>`
  | `Array<Array<${ScalarName}>>`
  | `Map<${ScalarName}>`
  | `Map<Array<${ScalarName}>>`

export type ScalarName = 'String' | 'Bytes' | 'Integer' | 'Boolean' | 'IP'

/** IP values are in text form, integers are safe integers; undefined is a missing value. */
export type Value = string | number | boolean | readonly Value[] | ReadonlyMap<string, Value> | undefined

/** A field that expressions may name; `read` gets its value from the caller's context. */
export interface Field<C> {
  readonly name: string
  readonly type: ExpressionType
  readonly read: (context: C) => Value
}

/** The names that an expression may use. Created once, looked up only at compile time. */
export interface Scheme<C> {
  readonly fields: ReadonlyMap<string, Field<C>>
  /** Functions that may be used; absent: all. */
  readonly functions?: ReadonlySet<string>
  /** Why an existing field or function is not available here; undefined for a name that exists nowhere. */
  readonly unavailable?: (name: string) => string | undefined
  /**
   * The test of a named list for values of this type; undefined if there is no such list. Absent: only the spelling of
   * list names is checked, and every list is empty.
   */
  readonly lists?: (name: string, type: 'Ip' | 'Bytes' | 'Int') => ListTest | undefined
}

/** IP addresses are in text form. */
export type ListTest = (value: string | number) => boolean

export type Predicate<C> = (context: C) => boolean

export interface Fault {
  readonly ok: false
  readonly diagnostic: Diagnostic
  /** The caret form of API errors. */
  readonly text: string
}

export type CompileOutcome<C> =
  | {
      readonly ok: true
      readonly test: Predicate<C>
      /** Names of its fields. */
      readonly fields: ReadonlySet<string>
    }
  | Fault

/** Result of an expression for contexts that know only some fields. */
export type PartialOutcome<C> =
  | {
      readonly ok: true
      /** The result, or the names of the missing fields. */
      readonly test: (context: C) => boolean | ReadonlySet<string>
      /** Names of its fields. */
      readonly fields: ReadonlySet<string>
    }
  | Fault

/** A value expression, for rewrites and redirects. */
export type ValueOutcome<C> =
  | {
      readonly ok: true
      readonly type: ExpressionType
      readonly read: (context: C) => Value
      readonly fields: ReadonlySet<string>
    }
  | Fault

export type CheckOutcome =
  | {
      readonly ok: true
      /** Names of its fields. */
      readonly fields: ReadonlySet<string>
    }
  | Fault

/** `text` is the canonical spelling. */
export type FormatOutcome = { readonly ok: true; readonly text: string } | Fault
