import { invalidValue, refusal, rulesetCodes } from '../problems.ts'
import { refuse } from '../reading.ts'
import { checkFilter, checkValue } from '../rule-expressions.ts'
import type { RateLimitParameters } from '../schemas/rate-limit.ts'
import type { ActionPlace } from './action-place.ts'

/** The `ratelimit` of a rule. @param at of the object itself */
export function checkRateLimit(limit: RateLimitParameters, at: ActionPlace): void {
  for (const [index, characteristic] of limit.characteristics.entries()) {
    checkValue(characteristic, 'characteristic', { ...at, pointer: `${at.pointer}/characteristics/${index}` })
  }
  const { counting_expression: counting = '' } = limit
  // Empty as absent: the expression of the rule counts.
  if (counting !== '')
    checkFilter(counting, 'counting', { ...at, pointer: `${at.pointer}/counting_expression` })
  checkMost(limit, at.pointer)
}

/** A limit is a number of requests, or a sum of scores that answers name in a header. */
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

/** Actions that a client beyond a limit can meet. */
const limitedActions: ReadonlySet<string> = new Set([
  'block',
  'challenge',
  'js_challenge',
  'log',
  'managed_challenge',
])

/** Rules of `http_ratelimit` that act need a limit, all others have none. */
export function requireRateLimit(given: boolean, action: string, { place, pointer }: ActionPlace): void {
  const inPhase = place.phase === 'http_ratelimit'
  if (inPhase && limitedActions.has(action)) {
    if (!given) fail(`ratelimit is required for the ${action} action in the phase http_ratelimit`, pointer)
  } else if (given) {
    const where = inPhase ? `with the ${action} action` : `in the phase ${place.phase}`
    const reason = `it is not possible to limit rates ${where}`
    refuse(invalidValue('ratelimit', undefined, reason, pointer, rulesetCodes.rateLimitInvalid))
  }
}
