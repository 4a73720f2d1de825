import type { LogRecord } from '../model/dataset.ts'

/** A filter that was checked against a dataset and compiled. */
export type LogPredicate = (record: LogRecord) => boolean

export interface FilterProblem {
  /** JSON pointer into the filter: `/where/and/1/operator`. */
  readonly pointer: string
  readonly message: string
}

export type FilterOutcome =
  | { readonly ok: true; readonly test: LogPredicate; readonly operators: number; readonly bytes: number }
  | { readonly ok: false; readonly problem: FilterProblem }
