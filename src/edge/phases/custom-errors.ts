import type { PageParts, PlanRule, ServeErrorEffect } from '../../rulesets/plan/plan.ts'
import type { EdgeCore } from '../exchange/core.ts'
import type { RequestParts } from '../exchange/exchange.ts'
import { notEvaluated } from './not-evaluated.ts'
import { type AnswerHead, showResponse } from './response-head.ts'

/** A response, and what a custom error rule serves in its place. */
export interface CustomError {
  readonly head: AnswerHead
  readonly effect: ServeErrorEffect
  readonly content: PageParts
}

/**
 * Runs the custom error rules for the head of a response.
 * @returns what the first rule that matches serves; undefined when the response stays as it is
 * @throws errors of expressions, which are internal errors; later calls then return undefined
 */
export function customErrorFor(
  core: EdgeCore,
  request: RequestParts,
  head: AnswerHead,
): CustomError | undefined {
  const { facts, decisions } = request
  const phase = facts.plan?.customErrors
  if (phase === undefined || head.status < 400 || decisions.headRulesFailed) return undefined
  const isAction = !errorsOfTransport.has(head.errorType) || !numbersOfTransport.has(head.errorCode)
  try {
    showResponse(core, request, head)
    for (const { rules } of phase.rulesets) {
      for (const rule of rules) {
        const { effect } = rule
        if (effect.kind !== 'serve-error' || (isAction && !effect.namesError)) continue
        if (!matches(core, request, rule)) continue
        const { content } = effect
        return content && { head, effect, content }
      }
    }
    return undefined
  } catch (error) {
    decisions.headRulesFailed = true
    throw error
  }
}

/** All other types and numbers are those of blocks and challenges. */
const errorsOfTransport: ReadonlySet<string> = new Set(['', '5xx', '1xxx'])
/** Without a number, a loop, no origin. */
const numbersOfTransport: ReadonlySet<number> = new Set([0, 1000, 1016])

function matches(core: EdgeCore, { facts, state, decisions }: RequestParts, rule: PlanRule): boolean {
  try {
    return rule.matches(state)
  } catch (error) {
    notEvaluated({ core, facts, decisions }, rule, error)
    return false
  }
}
