import type { Macro } from './template.ts'

/** A compiled operator, shared by every request. Strings are byte strings (latin-1, one code unit a byte). */
export interface Operator {
  /**
   * Does the value match? Negation (`!@…`) is the caller's. Linear in the value.
   * @param view the request on whose behalf it runs
   */
  match(value: string, view: OperatorView): boolean
}

/** What an operator may know of the request that it works for. */
export interface OperatorView {
  /** Text of a macro in the operator's parameter; '' when it is unset. */
  expand(macro: Macro): string
  /** Where captures go; undefined when the rule has no `capture`, which spares the work. */
  readonly captures: Captures | undefined
}

/** TX:0–TX:9. Called on a match only. */
export interface Captures {
  /**
   * Forgets the earlier captures, then sets TX:n to `values[n]`.
   * @param values at most ten; undefined for a group that took no part
   */
  replace(values: readonly (string | undefined)[]): void
}

/** What an operator may ask for while it is compiled. */
export interface OperatorContext {
  /** Text of a data file, by its name as the rule writes it; undefined when there is none. */
  readonly readData: (name: string) => string | undefined
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

export function ready(match: Operator['match']): OperatorOutcome {
  return { ok: true, operator: { match } }
}

export function refused(message: string, offset?: number, length?: number): OperatorOutcome {
  return {
    ok: false,
    message,
    ...(offset === undefined ? {} : { offset }),
    ...(length === undefined ? {} : { length }),
  }
}
