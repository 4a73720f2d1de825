import type { Phase } from '../../model/resource.ts'

/**
 * What an expression is for: the filter of a rule, what a rate limit counts, what a rewrite or a redirect writes, or
 * one characteristic of a rate limit.
 */
export type ExpressionUse =
  | 'filter'
  | 'counting'
  | 'rewrite-uri'
  | 'rewrite-header'
  | 'redirect'
  | 'characteristic'

/** Where an expression stands; decides which fields and functions it may name. */
export interface ExpressionPlace {
  readonly phase: Phase
  readonly use: ExpressionUse
}
