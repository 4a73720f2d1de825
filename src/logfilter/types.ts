import type { LogRecord } from '../model/dataset.ts'

/** A compiled filter that fits a dataset. Calling it allocates nothing. */
export type LogPredicate = (record: LogRecord) => boolean

export interface FilterProblem {
  /** JSON pointer into the filter: `/where/and/1/operator`. */
  readonly pointer: string
  readonly message: string
}

export type FilterOutcome =
  | {
      readonly ok: true
      readonly test: LogPredicate
      /** Names of the fields that `test` reads. */
      readonly fields: readonly string[]
      readonly operators: number
      readonly bytes: number
    }
  | { readonly ok: false; readonly problem: FilterProblem }

export type PositiveOperator =
  | 'eq'
  | 'lt'
  | 'leq'
  | 'gt'
  | 'geq'
  | 'startsWith'
  | 'endsWith'
  | 'contains'
  | 'in'

export type FilterOperator = PositiveOperator | '!eq' | '!startsWith' | '!endsWith' | '!contains' | '!in'

/** One value of a filter. Whole numbers beyond 2^53 are bigints, so that nanoseconds keep every digit. */
export type FilterValue = string | number | bigint | boolean

export interface FilterCriterion {
  readonly kind: 'criterion'
  readonly key: string
  readonly operator: FilterOperator
  /** An array for `in` and `!in`. */
  readonly value: FilterValue | readonly FilterValue[]
}

export interface FilterGroup {
  readonly kind: 'and' | 'or'
  /** At least one. */
  readonly nodes: readonly FilterNode[]
}

/** The value of `where`. */
export type FilterNode = FilterCriterion | FilterGroup

export type FilterTreeOutcome =
  | { readonly ok: true; readonly tree: FilterNode }
  | { readonly ok: false; readonly problem: FilterProblem }
