import type { Phase } from '../../model/resource.ts'

/**
 * The use of an expression: the filter of a rule, the counted requests of a rate limit, the written value of a
 * rewrite or redirect, or a characteristic of a rate limit.
 */
export type ExpressionUse =
  | 'filter'
  | 'counting'
  | 'rewrite-uri'
  | 'rewrite-header'
  | 'redirect'
  | 'characteristic'

/** Phase and use of an expression; they decide which fields and functions are available. */
export interface ExpressionContext {
  readonly phase: Phase
  readonly use: ExpressionUse
}
