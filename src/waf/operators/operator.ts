import type { PackReader, PackWriter } from '../../kit/packing.ts'
import type { Requirements } from '../../regex/index.ts'
import type { Macro, MacroView } from './template.ts'

/** A compiled operator, shared by every request. Strings are byte strings (latin-1, one code unit a byte). */
export interface Operator {
  /**
   * Does the value match? Negation (`!@…`) is the caller's. Linear in the value.
   * @param view the request on whose behalf it runs; asked only when the parameter has macros
   */
  test(value: string, view: MacroView): boolean
  /**
   * TX:0–TX:9 after a match of that value: at most ten, undefined for a group that took no part. Asked only when somebody
   * reads them. Undefined for operators that capture nothing.
   */
  readonly groups: ((value: string, view: MacroView) => Groups) | undefined
  /** Of the parameter. Without any, the answer depends on the value alone. */
  readonly macros: readonly Macro[]
  /** What every value that matches holds. */
  readonly requirements: Requirements
  /** Writes what is costly to make, or made from data files, for `OperatorContext.packed`. Undefined when there is nothing. */
  readonly pack: ((pack: PackWriter) => void) | undefined
}

export type Groups = readonly (string | undefined)[]

/** What an operator may ask for while it is compiled. */
export interface OperatorContext {
  /** Text of a data file, by its name as the rule writes it; undefined when there is none. */
  readonly readData: (name: string) => string | undefined
  /**
   * What `Operator.pack` of the same operator with the same parameter has written: made from it, the operator is the same
   * but knows no requirements.
   */
  readonly packed?: PackReader | undefined
}

export type OperatorOutcome =
  | { readonly ok: true; readonly operator: Operator }
  | {
      readonly ok: false
      /** One sentence about the parameter. */
      readonly message: string
      /** Byte of the parameter where it goes wrong. */
      readonly offset?: number
      readonly length?: number
    }

/** Compiles an operator's parameter once, when rules are loaded. Never throws. */
export type OperatorFactory = (parameter: string, context: OperatorContext) => OperatorOutcome

export function ready(test: Operator['test'], more: Partial<Omit<Operator, 'test'>> = {}): OperatorOutcome {
  const { groups, macros = [], requirements = [], pack } = more
  return { ok: true, operator: { test, groups, macros, requirements, pack } }
}

export function refused(message: string, offset?: number, length?: number): OperatorOutcome {
  return {
    ok: false,
    message,
    ...(offset === undefined ? {} : { offset }),
    ...(length === undefined ? {} : { length }),
  }
}
