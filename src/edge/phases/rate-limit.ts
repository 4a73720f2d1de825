import type { RateLimit, RateState } from '../../bus/port.ts'
import type { PlanRule, RateLimitRule } from '../../rulesets/plan/plan.ts'
import type { EdgeCore } from '../exchange/core.ts'
import type { Decisions } from '../exchange/decisions.ts'
import type { EdgeDeps } from '../exchange/deps.ts'
import type { RequestParts } from '../exchange/exchange.ts'
import type { RequestState } from '../exchange/request-state.ts'
import { firstHeader, type HeaderLines } from '../message/headers.ts'

/** The parts of a request that rate limits read and change. */
type Counted = Pick<RequestParts, 'state' | 'decisions'>

/**
 * Counts the request when `countedAt` is `request`, and remembers rules that count later. Runs for every rule of the phase,
 * because a rule may count other requests than it acts on.
 * @returns whether to take the rule's action now; then `decisions.limitedUntilMs` is the end of the limit
 */
export function checkRateLimit(
  core: EdgeCore,
  { state, decisions }: Counted,
  rule: PlanRule,
  limit: RateLimitRule,
): boolean | Promise<boolean> {
  const matches = rule.matches(state)
  const late = limit.countedAt !== 'request'
  const counted = !late && (limit.counts === rule.matches ? matches : limit.counts(state))
  if (!matches && !counted && !late) return false
  const key = keyOf(rule, limit, state)
  if (late) {
    decisions.pendingCounts ??= []
    decisions.pendingCounts.push({ limit, key })
  }
  if (!matches && !counted) return false
  const counting = count(core, key, counted ? 1 : 0, limit)
  if (!(counting instanceof Promise)) return matches && isLimited(decisions, counting)
  return counting.then(limited => matches && isLimited(decisions, limited))
}

/** Counts a request that is forwarded to the origin. Called at most once per request. */
export function countAtOrigin(core: EdgeCore, { state, decisions }: Counted): void {
  for (const { limit, key } of decisions.pendingCounts ?? []) {
    if (limit.countedAt === 'origin' && limit.counts(state)) countLate(core, key, 1, limit)
  }
}

/**
 * Counts a request when `state.response` has the head of its response. Called at most once per request. A request that a
 * rate limit stopped is not counted, because the limit made its response.
 */
export function countAtResponse(core: EdgeCore, { state, decisions }: Counted): void {
  const { pendingCounts, terminal } = decisions
  if (pendingCounts === undefined || terminal?.source === 'rateLimit') return
  const headers = state.response?.rawHeaders ?? []
  for (const { limit, key } of pendingCounts) {
    if (limit.countedAt !== 'response') continue
    const amount = limit.scoreHeader === undefined ? 1 : scoreIn(headers, limit.scoreHeader, core)
    if (amount > 0 && limit.counts(state)) countLate(core, key, amount, limit)
  }
}

/** Keys of different rules differ, because all ids have the same length. */
function keyOf({ id }: PlanRule, limit: RateLimitRule, state: RequestState): string {
  return `${id}${limit.keyOf(state)}`
}

function isLimited(decisions: Decisions, { limited, untilMs }: RateState): boolean {
  if (limited) decisions.limitedUntilMs = untilMs
  return limited
}

/**
 * Counts a request that has already passed. The request that reaches the number is the last one within the limit, so the
 * next one is beyond it. A score may reach its maximum exactly; the request that exceeds it is the last.
 */
function countLate(core: EdgeCore, key: string, amount: number, limit: RateLimitRule): void {
  const max = limit.scoreHeader === undefined ? limit.max - 1 : limit.max
  // Not awaited: `notCounted` logs errors.
  void count(core, key, amount, { periodMs: limit.periodMs, max, mitigationMs: limit.mitigationMs })
}

/** When counters fail, requests are not limited, so that the zone stays available. */
function count(
  { deps }: EdgeCore,
  key: string,
  amount: number,
  limit: RateLimit,
): RateState | Promise<RateState> {
  try {
    const counting = deps.rateCounters.count(key, amount, limit, deps.clock.nowMs())
    return counting instanceof Promise ? counting.catch(error => notCounted(deps, error)) : counting
  } catch (error) {
    return notCounted(deps, error)
  }
}

function notCounted({ logger }: EdgeDeps, error: unknown): RateState {
  logger.error({ err: error }, 'a rate limit could not be counted; the request is not limited')
  return { limited: false, untilMs: 0 }
}

/** A whole number in the header's first line; 0 when it is absent or something else. */
function scoreIn(headers: HeaderLines, name: string, { limits }: EdgeCore): number {
  const value = firstHeader(headers, name)?.trim()
  if (value === undefined || !/^\d+$/.test(value)) return 0
  return Math.min(Number(value), limits.rateScoreMax)
}
