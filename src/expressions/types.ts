import type { Diagnostic } from '../kit/diagnostic.ts'

/** Types of the rules language. `String` and `Bytes` are one type at run time: byte strings (latin-1, one code unit a byte). */
export type ExpressionType =
  | ScalarName
  | `Array<${ScalarName}>`
  | `Array<Array<${ScalarName}>>`
  | `Map<${ScalarName}>`
  | `Map<Array<${ScalarName}>>`

export type ScalarName = 'String' | 'Bytes' | 'Integer' | 'Boolean' | 'IP'

/** IP values are their text form, integers safe integers; undefined is a missing value. */
export type Value = string | number | boolean | readonly Value[] | ReadonlyMap<string, Value> | undefined

/** A field that expressions may name; `read` gets it from whatever the caller evaluates against. */
export interface Field<C> {
  readonly name: string
  readonly type: ExpressionType
  readonly read: (context: C) => Value
}

/** The names an expression may use. Made once; looked up at compile time only. */
export interface Scheme<C> {
  readonly fields: ReadonlyMap<string, Field<C>>
  /** Functions that may be used; absent: all. */
  readonly functions?: ReadonlySet<string>
  /** Why a field or function that exists may not be used here; undefined for a name that exists nowhere. */
  readonly unavailable?: (name: string) => string | undefined
  /**
   * The test of a named list for values of this type; undefined when there is none. Absent: only the spelling of list
   * names is checked, and nothing is in any list.
   */
  readonly lists?: (name: string, type: 'Ip' | 'Bytes' | 'Int') => ListTest | undefined
}

/** IP addresses come in their text form. */
export type ListTest = (value: string | number) => boolean

export type Predicate<C> = (context: C) => boolean

export interface Fault {
  readonly ok: false
  readonly diagnostic: Diagnostic
  /** The caret form that API errors show. */
  readonly text: string
}

export type CompileOutcome<C> =
  | {
      readonly ok: true
      readonly test: Predicate<C>
      /** Names of the fields that it uses. */
      readonly fields: ReadonlySet<string>
    }
  | Fault

/** Of an expression for contexts that know some fields only. */
export type PartialOutcome<C> =
  | {
      readonly ok: true
      /** The result, or the names of the fields without which there is none. */
      readonly test: (context: C) => boolean | ReadonlySet<string>
      /** Names of the fields that it uses. */
      readonly fields: ReadonlySet<string>
    }
  | Fault

/** Of a value expression: what a rewrite or redirect writes. */
export type ValueOutcome<C> =
  | {
      readonly ok: true
      readonly type: ExpressionType
      readonly read: (context: C) => Value
      readonly fields: ReadonlySet<string>
    }
  | Fault

export type CheckOutcome = { readonly ok: true } | Fault

/** `text` is the canonical spelling. */
export type FormatOutcome = { readonly ok: true; readonly text: string } | Fault
