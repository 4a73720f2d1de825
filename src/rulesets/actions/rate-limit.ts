import { checkFilter, checkValue } from '../documents/rule-expressions.ts'
import { invalidValue, refusal, rulesetCodes } from '../problems.ts'
import { refuse } from '../reading.ts'
import type { RateLimitParameters } from '../schemas/rate-limit.ts'
import type { ActionContext } from './action-context.ts'

/** Checks the `ratelimit` of a rule. @param at context of the object itself */
export function checkRateLimit(limit: RateLimitParameters, at: ActionContext): void {
  for (const [index, characteristic] of limit.characteristics.entries()) {
    checkValue(characteristic, 'characteristic', { ...at, pointer: `${at.pointer}/characteristics/${index}` })
  }
  const { counting_expression: counting = '' } = limit
  // Empty means absent: the expression of the rule counts.
  if (counting !== '')
    checkFilter(counting, 'counting', { ...at, pointer: `${at.pointer}/counting_expression` })
  checkMost(limit, at.pointer)
}

/** A limit is a number of requests, or a sum of scores from a response header. */
function checkMost(limit: RateLimitParameters, pointer: string): void {
  const { requests_per_period: requests, score_per_period: score, score_response_header_name: header } = limit
  if ((score === undefined) !== (header === undefined)) {
    fail('score_per_period and score_response_header_name belong together', pointer)
  }
  if ((requests === undefined) === (score === undefined)) {
    fail('ratelimit needs exactly one of requests_per_period and score_per_period', pointer)
  }
}

function fail(message: string, pointer: string): never {
  return refuse(refusal(rulesetCodes.rateLimitInvalid, message, pointer))
}

/** Actions for clients beyond a limit. */
const limitedActions: ReadonlySet<string> = new Set([
  'block',
  'challenge',
  'js_challenge',
  'log',
  'managed_challenge',
])

/** Acting rules of `http_ratelimit` need a limit, all others have none. */
export function requireRateLimit(given: boolean, action: string, { type, pointer }: ActionContext): void {
  const inPhase = type.phase === 'http_ratelimit'
  if (inPhase && limitedActions.has(action)) {
    if (!given) fail(`ratelimit is required for the ${action} action in the phase http_ratelimit`, pointer)
  } else if (given) {
    const where = inPhase ? `with the ${action} action` : `in the phase ${type.phase}`
    const reason = `it is not possible to limit rates ${where}`
    refuse(invalidValue('ratelimit', undefined, reason, pointer, rulesetCodes.rateLimitInvalid))
  }
}
