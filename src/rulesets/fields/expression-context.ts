import type { Phase } from '../../model/resource.ts'

/**
 * The use of an expression: the filter of a rule, the value of a rewrite or redirect, the counted requests or a
 * characteristic of a rate limit.
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

/** Of the rules of load balancers. They see a request as origin rules do, without lists. */
export const balancerContext: ExpressionContext = { phase: 'http_request_origin', use: 'filter' }
