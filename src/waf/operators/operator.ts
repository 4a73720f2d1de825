import type { PackReader, PackWriter } from '../../kit/packing.ts'
import type { Requirements } from '../../regex/index.ts'
import type { Macro, MacroView } from './template.ts'

/** A compiled operator, shared by every request. Strings are byte strings (latin-1, one code unit a byte). */
export interface Operator {
  /**
   * Whether the value matches. Negation (`!@…`) is the caller's. Linear in the value. Called by `holds`.
   * @throws MatchLimitError if a limit leaves the result open
   * @param view the current request; only used if the parameter has macros
   */
  test(value: string, view: MacroView): boolean
  /** `test` of a long value, with pauses, in which others may use the operator; undefined for fast operators. */
  readonly testInSlices: ((value: string, view: MacroView) => Generator<void, boolean, void>) | undefined
  /**
   * TX:0–TX:9 after a match of that value: at most ten, undefined for a group that took no part. Computed only when
   * needed. Undefined for operators without captures.
   */
  readonly groups: ((value: string, view: MacroView) => Groups) | undefined
  /** `groups` of a long value, with pauses; undefined if `groups` is fast. */
  readonly groupsInSlices: ((value: string, view: MacroView) => Generator<void, Groups, void>) | undefined
  /** Macros of the parameter. Without any, the result depends only on the value. */
  readonly macros: readonly Macro[]
  /** Conditions that every matching value meets. */
  readonly requirements: Requirements
  /**
   * Writes parts that are expensive to make, or made from data files, for `OperatorContext.packed`. Undefined if there
   * are none.
   */
  readonly pack: ((pack: PackWriter) => void) | undefined
}

export type Groups = readonly (string | undefined)[]

/** Services for an operator while it is compiled. */
export interface OperatorContext {
  /** Text of a data file, by its name in the rule; undefined if there is none. */
  readonly readData: (name: string) => string | undefined
  /**
   * Data of `Operator.pack` for the same operator and parameter. An operator made from it is the same, but without
   * requirements.
   */
  readonly packed?: PackReader | undefined
}

export type OperatorOutcome =
  | { readonly ok: true; readonly operator: Operator }
  | {
      readonly ok: false
      /** One sentence about the parameter. */
      readonly message: string
      /** Offset of the mistake in the parameter. */
      readonly offset?: number
      readonly length?: number
    }

/** Compiles an operator's parameter once, when rules are loaded. Never throws. */
export type OperatorFactory = (parameter: string, context: OperatorContext) => OperatorOutcome

export function ready(test: Operator['test'], more: Partial<Omit<Operator, 'test'>> = {}): OperatorOutcome {
  const { testInSlices, groups, groupsInSlices, macros = [], requirements = [], pack } = more
  return { ok: true, operator: { test, testInSlices, groups, groupsInSlices, macros, requirements, pack } }
}

export function refused(message: string, offset?: number, length?: number): OperatorOutcome {
  return {
    ok: false,
    message,
    ...(offset === undefined ? {} : { offset }),
    ...(length === undefined ? {} : { length }),
  }
}
